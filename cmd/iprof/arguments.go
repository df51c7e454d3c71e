package main

import (
	"errors"
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
	plan    instrument.Options
	verb    string   // run, build or test
	list    bool     // -n
	full    bool     // -full
	noLines bool     // -lines=false, or another CPU profile is taken
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
	hasFrames bool     // the program or every ends frames
	muted     []string // functions that earlier runs have muted, and that still have a zone
	learned   string   // file of the functions that have none for that reason
	left      int      // how many these are
	dir       string   // folder for recordings that nobody asked for
	module    string   // path of the program's main module
}

// sources are those of the profiler that this program carries. Without them it finds those that it was built from.
var sources []byte

// parse parses a command line: flags, packages, and the program's own arguments.
func parse(verb string, args []string) (*arguments, error) {
	a := &arguments{verb: verb, report: "-"}
	a.plan.Sources = sources
	a.plan.Test = verb == "test"
	a.plan.Selection.SlowClock = verb != "build" && slow(platform.Chosen()) // what is built may run elsewhere
	args, err := inFolder(args)
	if err != nil {
		return nil, err
	}
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
		if own := a.own(name); own != nil {
			if !has {
				if len(args) == 0 {
					return nil, fmt.Errorf("-%s needs a value", name)
				}
				value, args = args[0], args[1:]
			}
			if err := own(value); err != nil {
				return nil, fmt.Errorf("-%s: %w", name, err)
			}
			continue
		}
		if a.ownSwitch(name, value) {
			continue
		}
		if args, err = a.goFlag(arg, args); err != nil {
			return nil, err
		}
	}
	a.packages(verb, args)
	if verb == "test" {
		if err := a.testFlags(); err != nil {
			return nil, err
		}
	}
	return a, a.outputs(verb)
}

// slow reports whether zones take so long with a clock that fewer functions should have one. Programs choose the same.
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

// outputs chooses what the program gets besides the zones: -o of "run" is a recording, -listen a server.
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
		a.plan.Imports = append(a.plan.Imports, "example.com/iprof/auto/serve")
	}
	return a.profiled(verb)
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

// own returns the function that stores the value of a flag of this command. It is nil for flags of the go command.
func (a *arguments) own(name string) func(string) error {
	switch name {
	case "include":
		return expression(&a.plan.Selection.Include)
	case "exclude":
		return expression(&a.plan.Selection.Exclude)
	case "min":
		return func(s string) (err error) { a.plan.Selection.Min, err = strconv.Atoi(s); return err }
	case "deps":
		return func(s string) error { a.plan.Deps = append(a.plan.Deps, strings.Split(s, ",")...); return nil }
	case "std":
		return func(s string) error { a.plan.Std = append(a.plan.Std, strings.Split(s, ",")...); return nil }
	case "frame":
		return a.frame
	case "cpuprofile":
		if !a.plan.Test { // go test has that flag itself
			return func(s string) error { a.profile = s; return nil }
		}
	case "listen":
		return func(s string) error { a.listen = s; return nil }
	case "token":
		return func(s string) error { a.token = s; return nil }
	case "report":
		return func(s string) error { a.report = s; return nil }
	case "module":
		return func(s string) error { a.plan.Module = s; return nil }
	}
	return nil
}

// ownSwitch sets a flag of this command that has no value. It reports whether there is such a flag.
func (a *arguments) ownSwitch(name, value string) bool {
	switch name {
	case "full":
		a.full = true
	case "lines":
		a.noLines = value == "false" || value == "0"
	case "n":
		a.list = true
	case "all":
		a.plan.Selection.All = true
	case "view":
		a.view = true
	case "live":
		a.live = true
	case "relearn":
		a.plan.Relearn = true
	default:
		return false
	}
	return true
}

// frame stores a value of -frame: a duration, "none", or a function's name.
func (a *arguments) frame(value string) error {
	if value == "none" {
		a.plan.Frames.None = true
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
