package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// goFlags are the flags of the go command, as "go help" lists them. The value is true for flags that take a value,
// perhaps as the next argument.
type goFlags map[string]bool

// readGoFlags asks the go command for the flags of a command.
func readGoFlags(verb string) (goFlags, error) {
	flags := goFlags{"o": true}
	topics := []string{"build"}
	if verb == "test" {
		topics = append(topics, "test", "testflag")
	}
	for _, topic := range topics {
		out, err := exec.Command("go", "help", topic).Output()
		if err != nil {
			return nil, fmt.Errorf("go help %s: %w", topic, err)
		}
		flags.read(out)
	}
	return flags, nil
}

// read reads a page of "go help". Each flag has a line that begins with one tab: "-run regexp", "-race".
func (f goFlags) read(page []byte) {
	for s := bufio.NewScanner(bytes.NewReader(page)); s.Scan(); {
		line, ok := strings.CutPrefix(s.Text(), "\t-")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		f[name] = f[name] || value != ""
	}
}

// tested removes the prefix of a test binary's flags: -test.run is -run.
func tested(name string) string { return strings.TrimPrefix(name, "test.") }

// refused are the flags of the go command that cannot be used, with the reasons.
var refused = map[string]string{
	"overlay":  "zones use the go command's overlay themselves",
	"toolexec": "zones cannot be added to files that another tool changes; leave out -toolexec",
}

// shapes are the flags of the go command that choose the built files and packages. go list needs them, too.
var shapes = map[string]bool{
	"tags": true, "race": true, "msan": true, "asan": true, "mod": true, "modfile": true, "compiler": true,
	"installsuffix": true, "modcacherw": true,
}

// goFlag takes a flag of the go command with its value from the command line, and returns the rest of the command line.
func (a *arguments) goFlag(arg string, rest []string) ([]string, error) {
	name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if why := refused[tested(name)]; why != "" {
		return nil, fmt.Errorf("-%s cannot be used here: %s", name, why)
	}
	if a.known == nil {
		var err error
		if a.known, err = readGoFlags(a.verb); err != nil {
			return nil, err
		}
	}
	if err := a.mistyped(name); err != nil {
		return nil, err
	}
	whole := []string{arg}
	if a.known[tested(name)] && !has {
		if len(rest) == 0 {
			return nil, fmt.Errorf("-%s needs a value", name)
		}
		value, rest = rest[0], rest[1:]
		whole = []string{"-" + name + "=" + value}
	}
	switch {
	case name == "C":
		return nil, fmt.Errorf("-C must be the first flag, as for the go command")
	case name == "o":
		a.output = value
		return rest, nil
	case name == "count":
		a.counted = true
	case name == "vet":
		a.vet = value
		return rest, nil
	case strings.HasPrefix(tested(name), "cover"):
		a.plan.Cover = a.plan.Cover || value != "false" && value != "0"
	case strings.HasSuffix(tested(name), "cpuprofile"):
		a.noLines = true // there is one CPU profile at a time
	}
	a.goFlags = append(a.goFlags, whole...)
	if shapes[name] {
		a.plan.Flags = append(a.plan.Flags, whole...)
	}
	return rest, nil
}

// mistyped returns an error for a flag that neither this command nor the go command has. Tests may have any flag. The
// go command does not list its flags that begin with "debug-".
func (a *arguments) mistyped(name string) error {
	if _, known := a.known[name]; known || a.verb == "test" || strings.HasPrefix(name, "debug-") {
		return nil
	}
	var all []cli.Flag
	a.flags().VisitAll(func(f *flag.Flag) { all = append(all, &cli.BoolFlag{Name: f.Name}) })
	for _, known := range slices.Sorted(maps.Keys(a.known)) {
		all = append(all, &cli.BoolFlag{Name: known})
	}
	text := fmt.Sprintf("there is no flag -%s", name)
	if near := strings.TrimLeft(cli.SuggestFlag(all, name, true), "-"); len(near) > 1 {
		text += fmt.Sprintf("; did you mean -%s?", near)
	}
	return fmt.Errorf("%s (the program's arguments follow its package; iprof help %s lists the flags)", text,
		a.verb)
}

// testFlags parses the arguments after the packages of "test", which may be flags of the go command. Arguments after
// -args, or after one that is no flag, belong to the test.
func (a *arguments) testFlags() error {
	for i, rest := 0, a.program; i < len(rest); {
		name, _, has := strings.Cut(strings.TrimLeft(rest[i], "-"), "=")
		if !strings.HasPrefix(rest[i], "-") || name == "args" {
			a.program = rest
			return nil
		}
		if a.known == nil {
			var err error
			if a.known, err = readGoFlags(a.verb); err != nil {
				return err
			}
		}
		takes, ours := a.known[tested(name)]
		if !ours {
			i++ // of the test binary
			if !has && i < len(rest) && !strings.HasPrefix(rest[i], "-") {
				i++
			}
			continue
		}
		n := 1
		if takes && !has {
			n = 2
		}
		if _, err := a.goFlag(rest[i], slices.Clone(rest[i+1:])); err != nil {
			return err
		}
		rest = slices.Delete(slices.Clone(rest), i, min(i+n, len(rest)))
		a.program = rest
	}
	return nil
}
