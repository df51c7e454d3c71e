package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/platform"
)

// arguments is a parsed command line.
type arguments struct {
	plan     instrument.Options
	planning *planning
	verb     string // run, build or test
	list     bool   // -n
	full     bool   // -full
	noLines  bool   // -lines=false, or the run takes another CPU profile, or this command does not read it

	whyNoLines string // reason for missing lines that the user wants

	vet     string   // -vet of test
	counted bool     // -count of test
	report  string   // -report
	output  string   // -o of build and test
	record  string   // -o of run
	listen  string   // -listen
	token   string   // -token
	profile string   // -cpuprofile
	view    bool     // -view
	live    bool     // -live
	viewer  string   // file of glviewer, for -view
	goFlags []string // flags for the go command
	program []string // arguments of the program, or of go test behind the packages
	every   time.Duration

	known     goFlags  // flags of the go command; nil until they are needed
	hasFrames bool     // the program ends frames, or the user has chosen their length
	muted     []string // functions that earlier runs have muted and that still have a zone
	learned   string   // file of the muted functions without a zone
	left      int      // number of muted functions without a zone
	dir       string   // folder for recordings without -o
	environ   []string // of the program, if it is not this command's
	module    string   // path of the program's main module
	first     bool     // the cache had no program of an earlier run
	unwritten bool     // a recording or a report could not be written

	process int           // that run has started
	away    time.Duration // it was ready and had no processor, as read last
	lasted  time.Duration // from the start of the program to its end
	used    time.Duration // its processor time
}

// sources are the embedded sources of the profiler. Without them this program finds the sources that it was built from.
var sources []byte

// parse parses a command line: flags, packages, and the program's own arguments.
func parse(verb string, args []string) (*arguments, error) {
	a := &arguments{verb: verb, report: "-"}
	a.plan.Sources = sources
	a.plan.Test = verb == "test"
	a.plan.Selection.SlowClock = verb != "build" && slow(platform.Chosen()) // "build" may be for another machine
	args, err := inFolder(args)
	if err != nil {
		return nil, err
	}
	if args, err = a.flagsOf(args); err != nil {
		return nil, err
	}
	a.packages(verb, args)
	if verb == "test" {
		if err := a.testFlags(); err != nil {
			return nil, err
		}
	}
	return a, a.outputs(verb)
}

// flagsOf takes the flags before the first argument that is not a flag, and returns the rest.
func (a *arguments) flagsOf(args []string) (rest []string, err error) {
	own := a.flags()
	for len(args) > 0 {
		arg := args[0]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			break
		}
		args = args[1:]
		if arg == "--" {
			break
		}
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name == "h" || name == "help" {
			printHelp(own)
			return nil, flag.ErrHelp
		}
		l := own.Lookup(name)
		if l == nil {
			if args, err = a.goFlag(arg, args); err != nil {
				return nil, err
			}
			continue
		}
		switch {
		case has:
		case given{l.Value}.IsBoolFlag():
			value = "true"
		case len(args) == 0:
			return nil, fmt.Errorf("-%s needs a value", name)
		default:
			value, args = args[0], args[1:]
		}
		if err := l.Value.Set(value); err != nil {
			return nil, fmt.Errorf("-%s: %w", name, err)
		}
	}
	return args, nil
}

// slow reports whether a clock makes zones so slow that fewer functions should have one. Programs choose the same
// clock.
func slow(c platform.Choice) bool {
	return c.Source == platform.SourceGo || c.Reading > 35*time.Nanosecond
}

// inFolder changes to the folder of -C, which must be the first flag, as for the go command.
func inFolder(args []string) ([]string, error) {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return args, nil
	}
	name, dir, has := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	if name != "C" {
		return args, nil
	}
	args = args[1:]
	if !has {
		if len(args) == 0 {
			return nil, errors.New("-C needs a value")
		}
		dir, args = args[0], args[1:]
	}
	if err := os.Chdir(dir); err != nil {
		return nil, fmt.Errorf("-C: %w", err)
	}
	return args, nil
}

// outputs chooses the program's outputs: -o of "run" is a recording, -listen a server.
func (a *arguments) outputs(verb string) error {
	if verb == "run" && a.output != "" {
		record, err := filepath.Abs(a.output)
		if err != nil {
			return err
		}
		if _, err := os.Stat(record); err == nil {
			return fmt.Errorf("-o: %s is there already; choose another name or remove it", a.output)
		}
		a.record, a.output = record, ""
	}
	if err := a.watch(verb); err != nil {
		return err
	}
	if a.listen != "" {
		a.token = cmp.Or(a.token, os.Getenv("IPROF_TOKEN"))
		a.plan.Imports = append(a.plan.Imports, "example.com/iprof/auto/serve")
	}
	if err := a.profiled(verb); err != nil {
		return err
	}
	return a.before()
}

// profiled prepares -cpuprofile.
func (a *arguments) profiled(verb string) (err error) {
	if a.profile == "" {
		return nil
	}
	if verb != "run" {
		return fmt.Errorf("-cpuprofile is for a program that runs; use it with iprof run, not with %s", verb)
	}
	a.noLines = true
	a.plan.Imports = append(a.plan.Imports, "example.com/iprof/auto/cpuprofile")
	a.profile, err = filepath.Abs(a.profile)
	return err
}

// packages divides the arguments behind the flags. The first ones are packages; "run" has one package or the files of
// one. The rest are arguments of the program or flags of go test.
func (a *arguments) packages(verb string, rest []string) {
	belongs := func(i int) bool {
		if strings.HasPrefix(rest[i], "-") {
			return false
		}
		return verb != "run" || i == 0 || strings.HasSuffix(rest[0], ".go") && strings.HasSuffix(rest[i], ".go")
	}
	n := 0
	for n < len(rest) && belongs(n) {
		n++
	}
	a.plan.Packages, a.program = rest[:n], rest[n:]
	if n == 0 {
		a.plan.Packages = []string{"."}
	}
}

// flags returns the flags of this command, besides those of the go command.
func (a *arguments) flags() *flag.FlagSet {
	f := flag.NewFlagSet(a.verb, flag.ContinueOnError)
	f.BoolVar(&a.list, "n", false,
		"list the functions that would get a zone, and why the others do not; build nothing")
	const example = `'world\.\(\*World\)\..*'`
	f.Func("include", "functions whose names match `REGEXP` get a zone, however small: "+example,
		expression(&a.plan.Selection.Include))
	f.Func("exclude", "functions whose names match `REGEXP` get no zone", expression(&a.plan.Selection.Exclude))
	f.Func("min", "functions with fewer than `N` statements get no zone (8; 16 if the clock is slow: docs/cost.md)",
		func(s string) (err error) { a.plan.Selection.Min, err = strconv.Atoi(s); return err })
	f.BoolVar(&a.plan.Selection.All, "all", false,
		"every function gets a zone, even if the compiler inlines it; none is muted")
	f.BoolVar(&a.plan.Relearn, "relearn", false, "forget which functions were muted in earlier runs")
	f.Func("deps", "functions of the dependencies `MODULE,...` get zones, too", list(&a.plan.Deps))
	f.Func("std", "functions of `PACKAGE,...` of the standard library get zones, too: net/http,encoding/json",
		list(&a.plan.Std))
	f.Func("frame", "a frame ends when function `FUNC` returns: 'game.(*Game).Update', or an unambiguous end of a\n"+
		"name. If FUNC is a handler of net/http, gin, chi or echo, its requests are measured by route,\n"+
		"with median and 99th percentile. routes: all handlers are. 16ms: a frame ends every 16 ms.\n"+
		"none: the whole run has one report", a.frame)
	f.StringVar(&a.plan.Module, "module", "",
		"use the sources of example.com/iprof in `DIR`, instead of those of this program")
	a.outputFlags(f)
	return f
}

// outputFlags adds the flags for the output to the user.
func (a *arguments) outputFlags(f *flag.FlagSet) {
	if a.verb == "run" {
		f.Func("o", "record all frames in `FILE`; glviewer FILE and iprof top FILE open it", a.setOutput)
	} else {
		f.Func("o", "the program's `FILE`", a.setOutput)
	}
	f.BoolVar(&a.view, "view", false,
		"run: show the program in the window of glviewer, or in the browser, over a private connection")
	f.BoolVar(&a.live, "live", false,
		"run: show the live page in this terminal, and the program's own output after it")
	f.StringVar(&a.listen, "listen", "",
		"the program serves its frames at `ADDR`: http://ADDR/debug/iprof/ in a browser. :6061 is a port of\n"+
			"this machine alone; :0 is any free port, which is printed")
	f.StringVar(&a.token, "token", "",
		"other machines need `TOKEN` to read from -listen: at least 16 characters. The default is\n"+
			"the environment variable IPROF_TOKEN")
	if a.verb != "test" { // go test has that flag itself
		f.StringVar(&a.profile, "cpuprofile", "",
			"run: also write a CPU profile to `FILE`, for go tool pprof and iprof diff")
	}
	f.StringVar(&a.report, "report", a.report,
		"write the report to `FILE` at the end; - is standard error, none is no report, FILE.json is JSON")
	f.BoolVar(&a.full, "full", false, "the report has all functions and go statements")
	f.BoolFunc("lines", "=false: do not run Go's CPU profiler, so the report has no source lines. It never runs if\n"+
		"the program uses it itself", func(s string) error { a.noLines = s == "false" || s == "0"; return nil })
}

func (a *arguments) setOutput(file string) error { a.output = file; return nil }

// list returns a function that appends the parts of a list with commas.
func list(to *[]string) func(string) error {
	return func(s string) error { *to = append(*to, strings.Split(s, ",")...); return nil }
}

// frame stores a value of -frame: a duration, "none", "routes", or a function's name.
func (a *arguments) frame(value string) error {
	switch value {
	case "none":
		a.plan.Frames.None = true
		return nil
	case "routes":
		a.plan.Frames.Routes = true
		return nil
	}
	if d, err := time.ParseDuration(value); err == nil {
		if d <= 0 {
			return fmt.Errorf("%s is not above 0", value)
		}
		a.plan.Frames.Every, a.every = d, d
		return nil
	}
	a.plan.Frames.Functions = append(a.plan.Frames.Functions, value)
	return nil
}

func expression(to **regexp.Regexp) func(string) error {
	return func(s string) (err error) {
		*to, err = regexp.Compile(s)
		return err
	}
}
