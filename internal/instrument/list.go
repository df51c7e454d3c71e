package instrument

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"slices"
)

// listed is a package as "go list -json" prints it, with the fields in listFields.
type listed struct {
	Dir, ImportPath, Name string
	Standard              bool
	Module                *listedModule
	GoFiles, CgoFiles     []string
	TestGoFiles           []string
	XTestGoFiles          []string
	EmbedFiles            []string
	TestEmbedFiles        []string
	XTestEmbedFiles       []string
	Imports               []string
	CFiles, CXXFiles      []string
	MFiles, FFiles        []string
	HFiles, SFiles        []string
	SwigFiles, SysoFiles  []string
	DepOnly               bool
	Error                 *struct{ Err string }
}

type listedModule struct {
	Path, Version, Dir, GoMod string
	GoVersion                 string // of the language
	Main                      bool
	Replace                   *listedModule
}

const listFields = "Dir,ImportPath,Name,Standard,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,DepOnly,Error," +
	"EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Imports,CFiles,CXXFiles,MFiles,FFiles,HFiles,SFiles,SwigFiles,SysoFiles"

// files returns the package's compiled files. With test it includes the test files of the packages named.
func (l *listed) files(test bool) []string {
	files := append(append([]string{}, l.GoFiles...), l.CgoFiles...)
	if test && !l.DepOnly {
		files = append(append(files, l.TestGoFiles...), l.XTestGoFiles...)
	}
	return files
}

// isOld reports whether the package's language version has no type parameters. A module without a version has Go 1.16.
func (l *listed) isOld() bool {
	return l.Module != nil && version.Compare("go"+cmp.Or(l.Module.GoVersion, "1.16"), "go1.18") < 0
}

// isGoAlone reports whether the package is built only from Go files.
func (l *listed) isGoAlone() bool {
	return len(slices.Concat(l.CgoFiles, l.EmbedFiles, l.CFiles, l.CXXFiles, l.MFiles, l.FFiles, l.HFiles, l.SFiles,
		l.SwigFiles, l.SysoFiles)) == 0
}

// profiles reports whether the package may start a CPU profile.
func (l *listed) profiles() bool {
	return !l.Standard && (slices.Contains(l.Imports, "runtime/pprof") || slices.Contains(l.Imports, "net/http/pprof"))
}

// inOverlay reports whether the go command lets an overlay replace the package's files. It refuses that in the module
// cache.
func (p *Plan) inOverlay(l *listed) bool { return l.Standard || !isBelow(l.Dir, p.env.GOMODCACHE) }

// list returns the packages of the program and all packages that they import. For go test it leaves out packages that
// cannot be built, unless all are such: go test tests the others.
func list(o *Options) ([]*listed, error) {
	args := append([]string{"list", "-e", "-deps", "-json=" + listFields}, o.Flags...)
	out, err := o.command(append(append(args, "--"), o.Packages...)...)
	if err != nil {
		return nil, err
	}
	var all []*listed
	var broken error
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := d.Decode(l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if l.Error == nil || l.DepOnly {
			all = append(all, l)
		} else if broken == nil {
			broken = errors.New(l.Error.Err)
		}
	}
	named := func(l *listed) bool { return !l.DepOnly }
	if broken != nil && (!o.Test || !slices.ContainsFunc(all, named)) {
		return nil, broken
	}
	return all, nil
}
