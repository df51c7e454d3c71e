package iprof_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is the house's import table: which packages of ours each package may import. Data flows one way.
var mayImport = map[string][]string{
	"platform":         {},
	"shaders":          {},
	"fonts":            {},
	"gather":           {"platform"},
	"process":          {"gather", "platform"},
	"draw":             {"process", "gather", "fonts"},
	"draw/soft":        {"draw"},
	"draw/gl":          {"draw", "process", "gather", "shaders", "fonts"},
	"draw/text":        {"process", "gather"},
	"draw/html":        {"process", "gather", "draw"},
	"input":            {"process", "draw"},
	"console":          {"process", "gather", "draw", "draw/text", "draw/html", "input"},
	"":                 {"platform", "gather", "process", "draw/text", "draw/html", "console"},
	"tools":            {},
	"internal/golden":  {},
	"internal/egltest": {},
	"internal/synth":   {"gather", "platform"},
}

// never lists imports that a package must not reach, even through others.
var never = map[string][]string{
	"platform":  {"C", "runtime/cgo", "net"},
	"shaders":   {"C"},
	"fonts":     {"C"},
	"gather":    {"C", "net"},
	"process":   {"C", "net"},
	"draw":      {"C", "image/png", "net"},
	"draw/soft": {"C", "net"},
	"draw/text": {"C", "net/http"},
	"draw/html": {"C", "net/http"},
	"input":     {"C", "github.com/go-gl/glfw/v3.3/glfw"},
	"console":   {"C", "net", "net/http", "github.com/go-gl/gl/v3.3-core/gl"},
	"":          {"C", "net/http", "github.com/go-gl/gl/v3.3-core/gl"},
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath    string
	Imports, Deps []string
	Module        *struct{ Path string }
}

func list(t *testing.T) (module string, packages []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,Module", "./...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
		module = p.Module.Path
	}
	return module, packages
}

func TestImportsFollowTheTable(t *testing.T) {
	module, packages := list(t)
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, known := mayImport[name]
		if !known {
			if anything := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "examples/") || strings.HasPrefix(name, "internal/"); !anything {
				t.Errorf("package %s has no row in the import table", name)
			}
			continue
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, strings.TrimPrefix(ours, "/")) {
				t.Errorf("%s imports %s; the table allows %v", name, imported, allowed)
			}
		}
		for _, banned := range never[name] {
			if slices.Contains(p.Imports, banned) || slices.Contains(p.Deps, banned) && banned != "C" {
				t.Errorf("%s reaches %s, which it must never", name, banned)
			}
		}
	}
}

func TestOnlyDrawingNeedsCgo(t *testing.T) {
	cmd := exec.Command("go", "vet", ".", "./platform", "./gather", "./process", "./draw", "./draw/gl", "./draw/soft", "./draw/text", "./draw/html", "./input", "./console", "./examples/hello", "./examples/apiprofile")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("without cgo: %v\n%s", err, out)
	}
}
