package instrument_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// toolOfGo returns the file of a tool of the go command.
func toolOfGo(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(string(must.Get(exec.Command("go", "tool", "-n", name).Output())(t)))
}

// overlayIn writes an overlay into a folder, and returns its file.
func overlayIn(t *testing.T, dir string, replace map[string]string) string {
	t.Helper()
	path := filepath.Join(dir, "overlay.json")
	must.Do(t, os.WriteFile(path, must.Get(json.Marshal(map[string]any{"Replace": replace}))(t), 0o600))
	return path
}

// coveredFiles are files of a package, the insertions of their zones, and what cover's output is to have of them.
var coveredFiles = []struct{ name, text, insertions, want string }{
	{"plain.go", "package p\n\nfunc c() { println() }\n", "", ""},
	{"zone.go", "package p\n\nfunc a() { println() }\n\nfunc b() { println() }\n",
		`[{"Offset":21,"Text":" zone();"},{"Offset":46,"Text":" zone();"},{"Offset":58,"Text":"func zone() {}\n"}]`,
		"func a() { zone();counters_1|;  zone();println() }\n\nfunc zone() {}\n"},
	{"broken.go", "package p\n\nfunc d() { println() }\n", `[{"Offset":22,"Text":"}"}]`, ""},
}

// The zones of a file are in cover's output where they are in the file, and nothing else differs. A file without zones,
// or where they would break cover's output, stays as cover has written it. A file that only the overlay has is copied.
func TestCoverOfAPackage(t *testing.T) {
	dir, tool := t.TempDir(), toolOfGo(t, "cover")
	config := must.Get(json.Marshal(map[string]any{"OutConfig": filepath.Join(dir, "out.config"), "PkgPath": "p",
		"PkgName": "p", "Granularity": "perblock", "ModulePath": "p"}))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "config"), config, 0o600))
	replace, inputs := map[string]string{}, []string(nil)
	for _, f := range coveredFiles {
		own := filepath.Join(dir, f.name)
		must.Do(t, os.WriteFile(own, []byte(f.text), 0o600))
		if inputs = append(inputs, own); f.insertions != "" {
			replace[own] = filepath.Join(dir, "with-"+f.name)
			must.Do(t, os.WriteFile(replace[own]+".insertions", []byte(f.insertions), 0o600))
		}
	}
	args := func(to string, inputs []string) []string {
		list := filepath.Join(dir, to+"-list")
		text := filepath.Join(dir, to+"-variables.go") + "\n"
		for _, input := range inputs {
			text += filepath.Join(dir, to+"-"+filepath.Base(input)) + "\n"
		}
		must.Do(t, os.WriteFile(list, []byte(text), 0o600))
		return append([]string{"-pkgcfg", filepath.Join(dir, "config"), "-mode=set", "-var=counters", "-outfilelist",
			list}, inputs...)
	}
	must.Run(t, exec.Command(tool, args("want", inputs)...))
	added := filepath.Join(dir, "added.go")
	replace[added] = filepath.Join(dir, "with-added.go")
	must.Do(t, os.WriteFile(replace[added], []byte("package p\n"), 0o600))
	overlay := overlayIn(t, dir, replace)
	inputs = []string{inputs[0], added, inputs[1], inputs[2]}
	must.Do(t, instrument.Tool(append([]string{overlay, tool}, args("got", inputs)...)))
	read := func(name string) string { return string(must.Get(os.ReadFile(filepath.Join(dir, name)))(t)) }
	for _, f := range coveredFiles {
		got, want := read("got-"+f.name), read("want-"+f.name)
		for part := range strings.SplitSeq(f.want, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: got %q; want %q in it", f.name, got, part)
			}
		}
		got = strings.NewReplacer(" zone();", "", "\nfunc zone() {}\n", "").Replace(got)
		if !strings.Contains(got, "counters") || got != want {
			t.Errorf("%s: got %q; want\n%q", f.name, got, want)
		}
	}
	if got := read("got-added.go"); got != "package p\n" {
		t.Errorf("got %q; want a copy", got)
	}
	if got, want := read("got-variables.go"), read("want-variables.go"); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	wrong := args("got", inputs)[:8]
	if err := instrument.Tool(append([]string{overlay, tool}, wrong...)); err == nil {
		t.Error("got no error; want that of cover: the list is longer than the files")
	}
}

// The version of cover says that its output has zones, so that the build cache keeps both.
func TestTheVersionOfCoverDiffers(t *testing.T) {
	dir, tool := t.TempDir(), toolOfGo(t, "cover")
	own := strings.TrimSpace(string(must.Get(exec.Command(tool, "-V=full").Output())(t)))
	stdout, to := os.Stdout, must.Get(os.Create(filepath.Join(dir, "out")))(t)
	os.Stdout = to
	err := instrument.Tool([]string{overlayIn(t, dir, nil), tool, "-V=full"})
	os.Stdout = stdout
	must.Do(t, err)
	must.Do(t, to.Close())
	if got := string(must.Get(os.ReadFile(to.Name()))(t)); got != own+" iprof1\n" && got != own+"-iprof1\n" {
		t.Errorf("got %q; want %q with an addition", got, own)
	}
}

// A program that embeds its own sources embeds them without zones.
func TestSourcesAreEmbeddedWithoutZones(t *testing.T) {
	dir, tool := t.TempDir(), toolOfGo(t, "compile")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	own, zoned := write("own.go", "package own // without"), write("zoned.go", "package own // with zones")
	other := write("other.txt", "other text")
	source := write("p.go", "package p\n\nimport _ \"embed\"\n\n//go:embed own.go\nvar Own string\n\n"+
		"//go:embed other.txt\nvar Other string\n")
	export := must.Get(exec.Command("go", "list", "-export", "-f", "{{.Export}}", "embed").Output())(t)
	imports := write("imports", "packagefile embed="+string(export))
	config := write("config", string(must.Get(json.Marshal(map[string]any{
		"Patterns": map[string][]string{"own.go": {"own.go"}, "other.txt": {"other.txt"}},
		"Files":    map[string]string{"own.go": zoned, "other.txt": other}}))(t)))
	overlay := overlayIn(t, dir, map[string]string{own: zoned})
	for _, embed := range [][]string{{"-embedcfg", config}, {"-embedcfg=" + config}} {
		out := filepath.Join(t.TempDir(), "out")
		args := append([]string{overlay, tool, "-p", "p", "-importcfg", imports, "-o", out}, embed...)
		must.Do(t, instrument.Tool(append(args, source)))
		got := must.Get(os.ReadFile(out))(t)
		for text, want := range map[string]bool{"// without": true, "// with zones": false, "other text": true} {
			if bytes.Contains(got, []byte(text)) != want {
				t.Errorf("%s: the package has %q: %t", embed[0], text, !want)
			}
		}
	}
}
