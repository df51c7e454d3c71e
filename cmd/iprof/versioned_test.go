package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// published adds a version of a module to a proxy in a folder.
func published(t *testing.T, proxy, module, version string, files map[string]string) {
	t.Helper()
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for name, text := range files {
		f, err := w.Create(module + "@" + version + "/" + name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	must.Do(t, os.MkdirAll(dir, 0o755))
	write(t, filepath.Join(dir, version+".zip"), z.String())
	write(t, filepath.Join(dir, version+".mod"), files["go.mod"])
	write(t, filepath.Join(dir, version+".info"), `{"Version":"`+version+`"}`)
	list, _ := os.ReadFile(filepath.Join(dir, "list"))
	write(t, filepath.Join(dir, "list"), string(list)+version+"\n")
}

// fetchedMain prints what a program can see of how it was started.
const fetchedMain = `package main

import (
	_ "embed"
	"fmt"
	"os"

	"example.org/dep"
)

//go:embed text
var text string

func main() {
	dir, err := os.Getwd()
	fmt.Printf("%s|%v|%s|%s|%s|%s|%s\n", dir, err, os.Args[1:], text, os.Getenv("GOWORK"), dep.Name(), VERSION)
}
`

// withProxy makes a folder the only proxy. It has a program of two versions and a module that the program needs, and a
// program that replaces a module.
func withProxy(t *testing.T) (module string) {
	t.Helper()
	module = inModule(t, map[string]string{"main.go": emptyMain})
	proxy := t.TempDir()
	published(t, proxy, "example.org/dep", "v1.0.0", map[string]string{"go.mod": "module example.org/dep\n\ngo 1.25\n",
		"dep.go": "package dep\n\nfunc Name() string { return \"the dependency\" }\n"})
	needs := "\n\ngo 1.25\n\nrequire example.org/dep v1.0.0\n"
	for _, version := range []string{"v1.2.3", "v1.3.0"} {
		published(t, proxy, "example.org/tool", version, map[string]string{"go.mod": "module example.org/tool" + needs,
			"cmd/hi/text": "embedded", "lib/lib.go": "package lib\n",
			"cmd/hi/main.go": strings.ReplaceAll(fetchedMain, "VERSION", `"`+version+`"`)})
	}
	published(t, proxy, "example.org/bent", "v1.0.0", map[string]string{"main.go": emptyMain,
		"go.mod": "module example.org/bent" + needs + "\nreplace example.org/dep => ../dep\n"})
	own := must.Get(exec.Command("go", "env", "GOMODCACHE").Output())(t)
	downloaded := filepath.Join(strings.TrimSpace(string(own)), "cache", "download")
	t.Setenv("GOPROXY", fileAddress(proxy)+","+fileAddress(downloaded))
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOPRIVATE", "")
	return module
}

func fileAddress(dir string) string {
	dir = filepath.ToSlash(dir)
	if runtime.GOOS == "windows" {
		dir = "/" + dir
	}
	return "file://" + dir
}

// iprof run pkg@version prints what go run pkg@version prints, whatever module and workspace the working directory is
// in. A second start does so, too.
func TestRunOfAVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module := withProxy(t)
	write(t, "go.work", "go 1.25\n\nuse .\n")
	work := must.Get(filepath.Abs("go.work"))(t)
	t.Setenv("GOWORK", work)
	for _, test := range []struct{ program, says string }{
		{"example.org/tool/cmd/hi@v1.2.3", ""}, {"example.org/tool/cmd/hi@latest", "is v1.3.0"},
		{"example.org/tool/cmd/hi@latest", "is v1.3.0"},
	} {
		plain := exec.Command("go", "run", test.program, "-a", "b c")
		want, err := plain.Output()
		if err != nil || !strings.Contains(string(want), "embedded|"+work+"|the dependency|v1.") {
			t.Fatalf("go run: got %v, %s", err, want)
		}
		cmd := exec.Command(os.Args[0], "run", "-module", module, test.program, "-a", "b c")
		cmd.Env = append(os.Environ(), asMain+"=1")
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil || out.String() != string(want) {
			t.Errorf("%s: got %v, %s; want %s\n%s", test.program, err, &out, want, &said)
		}
		if text := said.String(); !strings.Contains(text, test.says) || !strings.Contains(text, "have a zone") {
			t.Errorf("%s: got %s", test.program, text)
		}
	}
	if names, err := filepath.Glob("*"); err != nil || !slices.Equal(names, []string{"go.mod", "go.work", "main.go"}) {
		t.Errorf("the working directory has %q, %v", names, err)
	}
}

// An error says which program or version could be meant.
func TestRunOfAVersionNamesTheNextStep(t *testing.T) {
	module := withProxy(t)
	for program, want := range map[string]string{
		"example.org/tool/cmd/hi@v9.9.9":      "go list -m -versions MODULE lists",
		"example.org/nowhere@latest":          "Name a program and a version that exist",
		"example.org/tool/cmd/nothing@v1.2.3": "does not contain package",
		"example.org/tool/cmd/hi@":            "name one program and its version",
		"example.org/tool/...@latest":         "name one program and its version",
		"example.org/bent@v1.0.0":             "clone its repository",
		"example.org/tool/lib@v1.2.3":         "is not a program",
	} {
		status, said := launched(t, module, "run", program)
		if status == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: got %d, %s; want %s", program, status, said, want)
		}
	}
	if got := os.Getenv("GOWORK"); got != "" {
		t.Errorf("afterwards GOWORK is %q", got)
	}
}
