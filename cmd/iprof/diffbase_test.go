package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// work is a program of two functions, whose works are in proportion to two numbers.
const work = `package main

import "fmt"

var sink float64

func physics(n int) {
	for i := range n {
		x := float64(i)
		for range 20 {
			x = x*0.99 + 1
		}
		sink += x
	}
}

func draw(n int) {
	for i := range n {
		x := float64(i)
		for range 20 {
			x = x*0.98 + 2
		}
		sink += x
	}
}

func main() {
	for range 20 {
		physics(%d)
		draw(%d)
	}
	fmt.Println(sink > 0)
}
`

// committed makes a repository with the program in its only commit, and makes it the working directory.
func committed(t *testing.T, physics, draw int) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/work\n\ngo 1.25\n")
	must.Do(t, os.Mkdir(filepath.Join(dir, "game"), 0o700))
	write(t, filepath.Join(dir, "game", "main.go"), fmt.Sprintf(work, physics, draw))
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		must.Run(t, cmd)
	}
	return dir
}

// TestDiffOfTwoCommits makes one function ten times slower in the working tree.
func TestDiffOfTwoCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs a program twelve times")
	}
	dir := committed(t, 5000, 50000)
	write(t, filepath.Join(dir, "game", "main.go"), fmt.Sprintf(work, 50000, 50000))
	root := must.Get(filepath.Abs("../.."))(t)
	said, warned := asIprof(t, filepath.Join(dir, "game"), "diff", "-base", "HEAD", "-n", "5", "--",
		"-module", root, ".")
	if !regexp.MustCompile(`(?m)slower  physics$`).MatchString(said) || strings.Contains(said, "slower  draw") {
		t.Errorf("got\n%s%s\nwant physics slower alone", said, warned)
	}
	if left, _ := exec.Command("git", "-C", dir, "worktree", "list").Output(); strings.Count(string(left), "\n") != 1 {
		t.Errorf("got the working trees\n%s\nwant the first alone", left)
	}
}

// What cannot be run is said with the next step, and leaves no working tree.
func TestDiffOfTwoCommitsSaysWhatIsMissing(t *testing.T) {
	dir := committed(t, 1, 1)
	for args, want := range map[string]string{
		"-base HEAD":                   "-base needs a program: iprof diff -base main -- ./cmd/game",
		"-base HEAD -n 2 -- ./game":    "2 runs of each commit are too few; 5 are the least",
		"-base no-such -n 5 -- ./game": `git knows no commit "no-such" here; in a shallow clone`,
		"-base HEAD -- ./none":         "HEAD: iprof run:",
	} {
		_, warned := asIprof(t, dir, append([]string{"diff"}, strings.Fields(args)...)...)
		if !strings.Contains(warned, want) {
			t.Errorf("%s: got %q; want %q in it", args, warned, want)
		}
	}
	if left, _ := exec.Command("git", "-C", dir, "worktree", "list").Output(); strings.Count(string(left), "\n") != 1 {
		t.Errorf("got the working trees\n%s\nwant the first alone", left)
	}
}
