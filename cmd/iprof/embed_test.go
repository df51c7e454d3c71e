package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const embeddingProgram = `package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"

	"example.org/user/sub"
)

//go:embed *.go all:sub
var sources embed.FS

//go:embed *
var all embed.FS

func main() {
	for _, f := range []embed.FS{sources, all} {
		fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
			if !d.IsDir() && err == nil {
				text, _ := f.ReadFile(name)
				fmt.Fprintf(os.Stdout, "%s\n%s", name, text)
			}
			return err
		})
	}
	os.Exit(sub.Work(1000) % 7)
}
`

// TestEmbeddedSourcesAreTheProgramsOwn: a program that embeds its source files sees no zone in them, and no other
// file. Its functions have zones all the same.
func TestEmbeddedSourcesAreTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": embeddingProgram, "sub/sub.go": "package sub\n\n" +
		"func Work(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i\n\t}\n\treturn sum\n}\n"})
	t.Setenv(asMain, "1") // the go command runs its tools by this program
	plain, zoned := filepath.Join(t.TempDir(), "user"), filepath.Join(t.TempDir(), "user")
	if out, err := exec.Command("go", "build", "-o", plain, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if status, stderr := launched(t, module, "build", "-o", zoned, "."); status != 0 {
		t.Fatal(stderr)
	}
	want, wantErr := exec.Command(plain).Output()
	got, gotErr := exec.Command(zoned).Output()
	if !bytes.Equal(got, want) || wantErr.Error() != gotErr.Error() {
		t.Errorf("%v: it sees\n%s\nwithout zones %v\n%s", gotErr, got, wantErr, want)
	}
	_, stderr := launched(t, module, "run", ".")
	for _, zone := range []string{"  Work  sub.go:3", "  main  main.go:"} {
		if !strings.Contains(stderr, zone) {
			t.Errorf("the report has no %s:\n%s", zone, stderr)
		}
	}
}
