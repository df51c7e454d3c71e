package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

// The library urfave/cli parses the command line: flags in any order, with one dash or two, help, and suggestions for
// mistyped names. Commands declare their flags with package flag. run, build and test parse their lines themselves,
// which may contain flags of the go command and of the program.

// helpTemplate is the help of one command.
const helpTemplate = `usage: {{.UsageText}}

{{wrap .Usage 0}}.
{{range .VisibleFlags}}
  {{.String}}{{end}}
{{if .Description}}
{{.Description}}
{{end}}`

func init() {
	cli.FlagStringer = func(f cli.Flag) string {
		g, ok := f.(*cli.GenericFlag)
		if !ok {
			return "-h\tprint this"
		}
		value, words := flag.UnquoteUsage(&flag.Flag{Name: g.Name, Usage: g.Usage, Value: g.Value})
		return "-" + strings.TrimSpace(g.Name+" "+value) + "\t" + strings.ReplaceAll(words, "\n", "\n  \t")
	}
}

// given makes a flag's value a value of the library.
type given struct{ flag.Value }

func (g given) Get() any { return g.String() }

// IsBoolFlag reports whether the flag needs no value.
func (g given) IsBoolFlag() bool {
	b, ok := g.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// lineOf returns the library's description of a command with these flags.
func lineOf(f *flag.FlagSet) *cli.Command {
	c := &cli.Command{Name: f.Name(), UsageText: "iprof " + f.Name(), CustomRootCommandHelpTemplate: helpTemplate,
		HideHelpCommand: true, HideVersion: true, Writer: stdout, ErrWriter: stderr,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		OnUsageError:   func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err }}
	for _, known := range commands {
		if known.name == f.Name() {
			c.Usage = strings.ToUpper(known.words[:1]) + known.words[1:]
			c.UsageText += " " + known.arguments
			c.Description = strings.TrimSpace(known.more)
		}
	}
	f.VisitAll(func(l *flag.Flag) {
		c.Flags = append(c.Flags, &cli.GenericFlag{Name: l.Name, Usage: l.Usage, Value: given{l.Value}})
	})
	return c
}

// errDescribed ends a command that only had to declare its flags.
var errDescribed = errors.New("the flags are declared")

// described, if not nil, receives the flags of the next command in place of a run.
var described func(*flag.FlagSet)

// parseFlags parses the command line of a command. f.Args then returns the other arguments. It prints its errors.
func parseFlags(f *flag.FlagSet, args []string) error {
	if described != nil {
		described(f)
		return errDescribed
	}
	c, rest, help := lineOf(f), []string(nil), true
	c.Action = func(_ context.Context, c *cli.Command) error {
		rest, help = c.Args().Slice(), false
		return nil
	}
	err := c.Run(context.Background(), append([]string{f.Name()}, args...))
	switch {
	case err != nil:
		stderr.Printf("iprof %s: %s; iprof help %[1]s lists the flags\n", f.Name(), wrong(c, err))
		return err
	case help:
		return flag.ErrHelp
	}
	onLine = rest
	return f.Parse(append([]string{"--"}, rest...))
}

// wrong explains an error in a command line. For an unknown flag it names the nearest known one.
func wrong(c *cli.Command, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err.Error()
	}
	text := fmt.Sprintf("there is no flag -%s", name)
	if name == "token" { // other users of the machine see command lines
		return text + "; set the variable IPROF_TOKEN to the program's token"
	}
	if near := strings.TrimLeft(cli.SuggestFlag(c.Flags, name, true), "-"); near != "" {
		text += fmt.Sprintf("; did you mean -%s?", near)
	}
	return text
}

// nearCommand returns the command with the name nearest to a mistyped one.
func nearCommand(name string) string {
	var all []*cli.Command
	for _, c := range commands {
		all = append(all, &cli.Command{Name: c.name})
	}
	return cli.SuggestCommand(all, name)
}

// printHelp prints the help of a command that parses its line itself.
func printHelp(f *flag.FlagSet) { _ = parseFlags(f, []string{"-h"}) }
