package instrument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// listed is a package as "go list -json" prints it, with the fields in listFields.
type listed struct {
	Dir, ImportPath, Name string
	Standard              bool
	Module                *listedModule
	GoFiles, CgoFiles     []string
	TestGoFiles           []string
	XTestGoFiles          []string
	DepOnly               bool
	Error                 *struct{ Err string }
}

type listedModule struct {
	Path, Version, Dir, GoMod string
	Main                      bool
	Replace                   *listedModule
}

const listFields = "Dir,ImportPath,Name,Standard,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,DepOnly,Error"

// files returns the package's compiled files. With test it includes the test files of the packages named.
func (l *listed) files(test bool) []string {
	files := append(append([]string{}, l.GoFiles...), l.CgoFiles...)
	if test && !l.DepOnly {
		files = append(append(files, l.TestGoFiles...), l.XTestGoFiles...)
	}
	return files
}

// inOverlay reports whether the go command lets an overlay replace the package's files. It refuses that in the module
// cache.
func (l *listed) inOverlay() bool { return l.Standard || l.Module.Main }

// list returns the packages of the program and all packages that they import.
func list(o *Options) ([]*listed, error) {
	args := append([]string{"list", "-e", "-deps", "-json=" + listFields}, o.Flags...)
	out, err := command(o.Dir, append(append(args, "--"), o.Packages...)...)
	if err != nil {
		return nil, err
	}
	var all []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := d.Decode(l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if l.Error != nil && !l.DepOnly {
			return nil, errors.New(l.Error.Err)
		}
		all = append(all, l)
	}
}

// command runs the go command and returns its output. The error has its standard error.
func command(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
