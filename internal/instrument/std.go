package instrument

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A package of the standard library can import package gather if that is placed in the standard library, too. If the
// program itself imports the profiler, it cannot: then its zones are static data with the layout of gather.Zone, and it
// calls the profiler's functions through go:linkname, which adds no import.

// The packages with what packages of the standard library call: by an import, and by go:linkname.
const (
	gatherPackage  = "example.com/iprof/gather"
	measurePackage = "example.com/iprof/internal/measure"
)

// stdDeclarations declares in a package of the standard library the type and the functions that its zones need. One
// file of the package has them. TestTheZonesOfTheStandardLibrary compares the type with gather.Zone.
const stdDeclarations = `type iprofZone struct {
	Name     string
	Idle     bool
	Blocked  bool
	perCall  bool
	governed uint8
	Computes bool
	_        [11]byte
}

//go:linkname iprofOff ` + measurePackage + `.off
var iprofOff uint32

//go:linkname iprofBegin ` + measurePackage + `.(*Zone).Begin
func iprofBegin(*iprofZone) iprofUnsafe.Pointer

//go:linkname iprofEnd ` + measurePackage + `.Scope.End
func iprofEnd(iprofUnsafe.Pointer)

//go:norace
func iprofLive(*iprofZone) bool { return iprofOff == 0 }
`

// checkStd returns an error if -std names a package that cannot have zones.
func (p *Plan) checkStd(all []*listed) error {
	if len(p.options.Std) == 0 {
		return nil
	}
	for _, flag := range p.options.Flags {
		if strings.HasPrefix(flag, "-tags") && strings.Contains(flag, "iprof_off") {
			return errors.New("-std: with the tag iprof_off there are no zones; leave out one of the two")
		}
	}
	dir, err := p.options.ProfilerDir()
	if err != nil {
		return err
	}
	measuring, err := dependencies(dir, gatherPackage)
	if err != nil {
		return err
	}
	for _, path := range p.options.Std {
		there := slices.ContainsFunc(all, func(l *listed) bool { return l.Standard && l.ImportPath == path })
		switch why := stdRefused(path); {
		case why != "":
			return fmt.Errorf("-std %s: %s", path, why)
		case measuring[path]:
			return fmt.Errorf("-std %s: the profiler calls it when it measures, and would measure itself without end; "+
				"measure the functions that call it", path)
		case !there:
			return fmt.Errorf("-std %s: the program uses no such package of the standard library; "+
				"go list -deps shows what it uses", path)
		}
	}
	return nil
}

// addStd adds the packages of -std that only test files import.
func (o *Options) addStd(all []*listed) ([]*listed, error) {
	missing := slices.Clone(o.Std)
	for _, l := range all {
		missing = slices.DeleteFunc(missing, func(path string) bool { return path == l.ImportPath })
	}
	if len(missing) == 0 {
		return all, nil
	}
	more, err := list(&Options{Dir: o.Dir, Packages: missing, Flags: o.Flags})
	if err != nil {
		return nil, fmt.Errorf("-std: %w", err)
	}
	for _, l := range more {
		if slices.Contains(missing, l.ImportPath) {
			l.DepOnly = true // its own tests are not run
			all = append(all, l)
		}
	}
	return all, nil
}

// stdRefused returns the reason why no function of a package can have a zone, or "".
func stdRefused(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case first == "runtime" || path == "unsafe":
		return "it is the runtime, which the profiler itself uses"
	case first == "vendor" || slices.Contains(strings.Split(path, "/"), "internal"):
		return "only packages that programs may import can be measured"
	}
	return ""
}

// dependencies returns packages and all packages that they import.
func dependencies(dir string, packages ...string) (map[string]bool, error) {
	out, err := (&Options{Dir: dir}).command(append([]string{"list", "-deps"}, packages...)...)
	if err != nil {
		return nil, err
	}
	paths := map[string]bool{}
	for path := range strings.FieldsSeq(string(out)) {
		paths[path] = true
	}
	return paths, nil
}

// declareStd chooses the file for the declarations in each package of the standard library: the first one with a zone.
func (p *Plan) declareStd() {
	done := map[string]bool{}
	for _, s := range p.sources {
		if !s.std || done[s.pkg] {
			continue
		}
		if s.declares = slices.ContainsFunc(s.list, func(f *Function) bool { return f.countZones() > 0 }); s.declares {
			done[s.pkg] = true
		}
	}
}

// rewriteStd is rewrite for a file of the standard library.
func (s *source) rewriteStd(p *Plan) (text []byte, changed bool) {
	e := &edits{source: s.text}
	s.edits = e
	t := &table{auto: s.unused(autoName), name: s.unused(fmt.Sprintf("iprofZones%08x", hash(s.path))), std: true,
		links: p.linked}
	if !s.addZones(e, t) {
		return nil, false
	}
	end := t.declaration()
	if !t.links {
		e.insert(s.offset(s.file.Name.End()), "; import "+t.auto+" "+strconv.Quote(p.place(gatherPackage)))
	} else if s.declares {
		e.insert(s.offset(s.file.Name.End()), `; import iprofUnsafe "unsafe"`)
		end += stdDeclarations
	}
	e.insert(len(s.text), end)
	return e.bytes(), true
}
