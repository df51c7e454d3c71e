package instrument

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options chooses the functions to measure, and holds the options of the go command.
type Options struct {
	Dir       string   // working directory; "" means the current one
	Packages  []string // as for go build
	Flags     []string // flags of go build that choose files and packages: -tags, -race, -mod and so on
	Test      bool     // for go test: test files get zones, too
	Selection Selection
	Frames    Frames
	Deps      []string // module paths of dependencies to measure, too
	Std       []string // import paths of packages of the standard library to measure, too
	Module    string   // directory of the iprof module; "" means the one from which this program was built
	Cache     string   // directory for all written files; "" means a folder in the user's cache directory
	Imports   []string // import paths that the program's main package imports for their init functions
	Relearn   bool     // forget the functions muted by earlier runs
	Cover     bool     // the go command measures the coverage: see Tool

	// Sources is the output of Pack, for a program that may not find its sources.
	Sources []byte `json:"-"`

	Context context.Context `json:"-"` // its end ends the go command; nil: never
}

// Plan lists all functions, with and without zones.
type Plan struct {
	Functions []*Function // sorted by package, file and line
	Count     int         // of Functions
	Programs  []string    // import paths of the main packages among Options.Packages
	Chosen    int         // functions without a Reason
	Short     int         // functions without a zone only because they have few statements
	Muted     int         // functions without a zone because earlier runs muted them
	Frames    []string    // ends of frames in words
	Requests  []string    // functions whose calls are requests, with a zone of their route
	Waits     int         // functions and statements that only wait, with an idle zone
	Learned   string      // file of the functions muted by earlier runs: see Learn
	Module    string      // path of the main module; "" if there is none

	// ProfilesItself is true if the program may begin a CPU profile, and would not stop the profiler's before: in a
	// version of Go whose package runtime/pprof is not known. There can be one CPU profile at a time.
	ProfilesItself bool

	options  Options
	painters map[string]bool // packages of libraries to rewrite only for the ends of frames
	packages []*listed
	sources  []*source
	locals   []*listed // packages of the program that may change: outside the standard library and the module cache
	main     *listedModule
	dir      string // folder of written files
	env      environment
	hooked   string            // the file of runtime/pprof with StartCPUProfile; "" if it stays as it is
	linked   bool              // the program imports the profiler
	linkedTo string            // folder of the imported profiler
	embeds   []string          // files that packages embed, absolute
	homes    map[string]string // import paths of the profiler's packages with assembly
	profiler []string          // folders of the profiler's packages, if the overlay puts them into the standard library
}

// Plan lists the program's packages and chooses functions. The error names an option that matches nothing, or comes
// from the go command. Plan writes only to the go command's build cache; with Relearn it removes the list of muted
// functions.
func (o Options) Plan() (*Plan, error) {
	p := &Plan{options: o}
	var err error
	if p.env, err = o.readEnvironment(); err != nil {
		return nil, err
	}
	all, err := list(&o)
	if err == nil && o.Test {
		all, err = o.addStd(all)
	}
	if err != nil {
		return nil, err
	}
	p.findLinked(all)
	p.hookProfiles(all)
	for _, l := range all {
		if p.main == nil && l.Module != nil && l.Module.Main {
			p.main, p.Module = l.Module, l.Module.Path
		}
		if !l.Standard && !isBelow(l.Dir, p.env.GOMODCACHE) {
			p.locals = append(p.locals, l)
		}
		if l.Name == "main" && !l.DepOnly {
			p.Programs = append(p.Programs, l.ImportPath)
		}
		if o.wants(l) || p.addPainter(l) {
			p.packages = append(p.packages, l)
		}
	}
	if len(p.packages) == 0 {
		const format = "no package of the main module is built by %s; name a package of yours, such as ./cmd/game"
		return nil, fmt.Errorf(format, strings.Join(o.Packages, " "))
	}
	if err := p.checkStd(all); err != nil {
		return nil, err
	}
	for _, l := range all {
		p.embeds = append(p.embeds, l.embedded()...)
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	p.leavePainters()
	if err := p.findFrames(all); err != nil {
		return nil, err
	}
	if p.dir, err = p.cacheDir(); err != nil {
		return nil, err
	}
	p.Learned = filepath.Join(p.dir, "muted")
	if o.Relearn {
		err := errors.Join(os.RemoveAll(p.Learned), os.RemoveAll(p.Learned+pendingEnd), os.RemoveAll(p.Learned+runsEnd))
		if err != nil {
			return nil, err
		}
	}
	settle(p.Learned)
	p.choose(learnedLines(p.Learned))
	return p, p.check()
}

// wants reports whether to measure the package's functions. It is false for the profiler's own.
func (o *Options) wants(l *listed) bool {
	if l.Standard {
		return slices.Contains(o.Std, l.ImportPath)
	}
	if isProfiler(l.ImportPath) {
		return false
	}
	if l.Module == nil { // without modules
		return !l.DepOnly
	}
	return l.Module.Main || slices.Contains(o.Deps, l.Module.Path)
}

// parse reads the files of all packages, with one goroutine per processor.
func (p *Plan) parse() error {
	type job struct {
		path string
		of   *listed
	}
	var jobs []job
	for _, l := range p.packages {
		for _, name := range l.files(p.options.Test) {
			jobs = append(jobs, job{filepath.Join(l.Dir, name), l})
		}
	}
	fset := token.NewFileSet()
	sources, failures := make([]*source, len(jobs)), make([]error, len(jobs))
	parallel(len(jobs), func(i int) {
		text, err := os.ReadFile(jobs[i].path)
		if err == nil {
			sources[i], err = parse(fset, jobs[i].path, jobs[i].of.ImportPath, text)
		}
		if err == nil {
			sources[i].std, sources[i].old = jobs[i].of.Standard, jobs[i].of.isOld()
			sources[i].copied = !p.inOverlay(jobs[i].of)
		}
		failures[i] = err
	})
	broken := map[string]bool{} // packages; the go command reports the errors when it builds them
	for i, err := range failures {
		broken[jobs[i].of.ImportPath] = broken[jobs[i].of.ImportPath] || err != nil
	}
	p.packages = slices.DeleteFunc(p.packages, func(l *listed) bool { return broken[l.ImportPath] })
	for i, s := range sources {
		if !broken[jobs[i].of.ImportPath] {
			p.sources = append(p.sources, s)
		}
	}
	p.placeStarts()
	p.findWaits()
	p.findRecursion()
	p.findCalls()
	return p.leaveOurs()
}

// choose decides for each function whether it gets a zone.
func (p *Plan) choose(muted map[string]bool) {
	by := p.findInlined()
	for _, s := range p.sources {
		if p.painters[s.pkg] {
			p.noteFrames(s)
			continue
		}
		for _, f := range s.list {
			f.muted = muted[f.File+"\t"+f.Label()]
			p.options.Selection.choose(f, by)
			switch f.Reason {
			case "":
				p.Chosen++
			case tooCostly:
				p.Muted++
			case p.options.Selection.tooShort(f):
				p.Short++
			}
			for i := range f.waits {
				f.waits[i].muted = muted[f.File+"\t"+f.waits[i].label]
			}
			p.Waits += f.countWaits()
		}
		p.Functions = append(p.Functions, s.list...)
		p.Count += len(s.list)
		if !s.std {
			p.noteFrames(s)
		}
	}
	p.findComputing(by.exports)
	p.declareStd()
}

// noteFrames adds the ends of frames in a file to p.Frames.
func (p *Plan) noteFrames(s *source) {
	frames := &p.options.Frames
	for _, c := range s.calls {
		if c.known.waits {
			p.Waits++
		}
		if c.ends(frames) {
			p.Frames = append(p.Frames, fmt.Sprintf("after %s, %s:%d", c.known.name, s.path, c.line))
		}
	}
	for _, f := range s.list {
		if s.isHandler(f, frames) {
			p.Requests = append(p.Requests, f.Full())
		} else if s.endsFrame(f, frames) {
			p.Frames = append(p.Frames, fmt.Sprintf("when %s returns", f.Full()))
		}
	}
}

// check returns an error if an option matches nothing.
func (p *Plan) check() error {
	for _, module := range p.options.Deps {
		has := func(l *listed) bool { return l.Module != nil && l.Module.Path == module }
		if !slices.ContainsFunc(p.packages, has) {
			const format = "-deps %s: the program uses no package of that module; go list -m all lists its modules"
			return fmt.Errorf(format, module)
		}
	}
	return nil
}

func (p *Plan) paths() []string {
	var paths []string
	for _, l := range p.packages {
		if !p.painters[l.ImportPath] {
			paths = append(paths, l.ImportPath)
		}
	}
	return paths
}
