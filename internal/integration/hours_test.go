//go:build !windows && !iprof_off

package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// The first hour of users of each kind is a script in testdata/hours. It begins in an empty folder with an empty module
// cache, and has the command iprof as releases have it. Beside the folder lies the repository, as ../iprof. The
// commands and programs of the documents are taken from these as they stand: $DOCS/FILE/commands-1 is the first block
// of commands in FILE, go-1 the first program.

// fenced is a block of code in a document.
var fenced = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")

// typed finds blocks of commands. In one with prompts the other lines are output.
var (
	typed  = regexp.MustCompile(`(?m)^(\$ )?(go|iprof|glviewer|git|make|cd|curl) `)
	prompt = regexp.MustCompile(`(?m)^\$ (.*\n)`)
)

// blocks returns the programs and the commands of a document, by their names in the scripts.
func blocks(text string) map[string]string {
	found, programs, commands := map[string]string{}, 0, 0
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		language, body := m[1], m[2]
		switch {
		case language == "go":
			programs++
			found[fmt.Sprint("go-", programs)] = body
		case typed.MatchString(body):
			commands++
			if lines := prompt.FindAllStringSubmatch(body, -1); lines != nil {
				body = ""
				for _, l := range lines {
					body += l[1]
				}
			}
			found[fmt.Sprint("commands-", commands)] = body
		}
	}
	return found
}

// guides are the documents that tell a newcomer what to type.
func guides(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/tutorial/*.md"} {
		files := must.Get(filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))))(t)
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// notTyped are blocks of commands that no script runs, and why.
var notTyped = map[string]string{
	"README.md/commands-3": "make test is what runs the scripts",
}

func scripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/hours/*.sh")
	if err != nil || len(files) < 10 {
		t.Fatalf("got %d scripts, %v", len(files), err)
	}
	return files
}

// TestEachCommandOfADocumentIsInAScript wants each block of commands to be run by a script.
func TestEachCommandOfADocumentIsInAScript(t *testing.T) {
	var all []byte
	for _, file := range scripts(t) {
		text := must.Get(os.ReadFile(file))(t)
		all = append(all, text...)
	}
	count := 0
	for _, name := range guides(t) {
		for block := range blocks(readDocument(t, name)) {
			place := name + "/" + block
			if strings.HasPrefix(block, "go-") || notTyped[place] != "" {
				continue
			}
			count++
			if !bytes.Contains(all, []byte(`"$DOCS/`+place+`"`)) {
				t.Errorf("no script of testdata/hours has $DOCS/%s: what it says may not work", place)
			}
		}
	}
	if count < 5 {
		t.Errorf("got %d blocks of commands; want those of README and of the tutorial", count)
	}
}

// released builds the command as a release has it, into a folder.
func released(t *testing.T, dir string) {
	t.Helper()
	packed, overlay := filepath.Join(t.TempDir(), "sources.zip"), filepath.Join(t.TempDir(), "overlay.json")
	var sources bytes.Buffer
	must.Do(t, instrument.Pack(&sources, root))
	inTree := must.Get(filepath.Abs(filepath.Join(root, "cmd/iprof/sources.zip")))(t)
	text := must.Get(json.Marshal(map[string]any{"Replace": map[string]string{inTree: packed}}))(t)
	for name, data := range map[string][]byte{packed: sources.Bytes(), overlay: text} {
		must.Do(t, os.WriteFile(name, data, 0o600))
	}
	const link = "-ldflags=-X example.com/iprof/internal/version.release=v0.3.0"
	cmd := inRoot("go", "build", "-trimpath", "-buildvcs=false", "-tags=iprof_sources", "-overlay="+overlay, link,
		"-o", filepath.Join(dir, "iprof"), "./cmd/iprof")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestFirstHours runs the scripts. With IPROF_HOURS=offline the go command has what this machine's module cache has,
// and scripts that need more are left out; with IPROF_HOURS=all none is. Without it the test is skipped.
func TestFirstHours(t *testing.T) {
	mode := os.Getenv("IPROF_HOURS")
	if mode == "" {
		t.Skip("IPROF_HOURS=offline, or all, runs them: make check and make soak do")
	}
	release, docs, place := t.TempDir(), t.TempDir(), place(t)
	released(t, release)
	for _, name := range guides(t) {
		dir := filepath.Join(docs, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(dir, 0o755))
		for block, text := range blocks(readDocument(t, name)) {
			must.Do(t, os.WriteFile(filepath.Join(dir, block), []byte(text), 0o600))
		}
	}
	for _, file := range scripts(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sh"), func(t *testing.T) {
			script := must.Get(os.ReadFile(file))(t)
			if mode == "offline" && bytes.HasPrefix(script, []byte("# online\n")) {
				t.Skip("make soak runs it")
			}
			hour(t, script, place, release, docs, mode)
		})
	}
}

// place returns the folder that is every script's home. The build cache knows packages by their folders, so it has the
// same name in each run: what one script has built none builds again. Runs at the same time have one each.
func place(t *testing.T) string {
	t.Helper()
	for n := range 10 {
		dir := filepath.Join(os.TempDir(), fmt.Sprint("iprof-hours-", n))
		if os.Mkdir(dir, 0o700) == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	return t.TempDir()
}

// stand copies what is in place of commands that wait for their user: it ends by itself.
func stand(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"glviewer", "iprof"} {
		text, err := os.ReadFile(filepath.Join("testdata/hours/bin", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hour runs one script.
func hour(t *testing.T, script []byte, place, release, docs, mode string) {
	home := filepath.Join(place, "home")
	must.Do(t, errors.Join(os.RemoveAll(home), os.Mkdir(home, 0o755)))
	for _, dir := range []string{"yours", "bin", "tmp"} {
		must.Do(t, os.Mkdir(filepath.Join(home, dir), 0o755))
	}
	tree, err := filepath.Abs(root)
	if err == nil {
		err = os.Symlink(tree, filepath.Join(home, "iprof"))
	}
	if err != nil {
		t.Fatal(err)
	}
	stand(t, filepath.Join(home, "bin"))
	wait := must.Get(filepath.Abs("testdata/hours/lib/wait.sh"))(t)
	out := must.Get(exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY").Output())(t)
	known := strings.Fields(string(out))
	proxy := "file://" + filepath.ToSlash(known[1]) + "/cache/download"
	if mode != "offline" {
		proxy += "," + known[2]
	}
	cmd := exec.Command("sh", "-eu", "-c", ". \"$WAIT\"\n"+string(script))
	cmd.Dir = filepath.Join(home, "yours")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GO") })
	cmd.Env = append(cmd.Env, "HOME="+home, "GOPATH="+filepath.Join(home, "go"), "GOCACHE="+known[0],
		"GOMODCACHE="+filepath.Join(home, "go/pkg/mod"), "GOPROXY="+proxy, "GONOSUMDB=*", "GOFLAGS=-modcacherw",
		"XDG_CACHE_HOME="+filepath.Join(home, "cache"), "TMPDIR="+filepath.Join(home, "tmp"), "DOCS="+docs,
		"WAIT="+wait, "RELEASED="+release,
		"PATH="+filepath.Join(home, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("%s\n%.1f s of processor time", said, spent.Seconds())
}
