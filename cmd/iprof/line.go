package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

// The command line is parsed by urfave/cli: flags in any order, with one dash or two, help, and names that are near a
// mistyped one. Commands declare their flags with package flag. run, build and test parse theirs themselves, as flags
// of the go command and of the program stand among them.

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

// given is a flag's value as the library wants it.
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

// described takes the flags of the next command that is run, in place of its command line, if it is not nil.
var described func(*flag.FlagSet)

// parseFlags parses the command line of a command. What is no flag is f.Args then. An error has been printed.
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
	return f.Parse(append([]string{"--"}, rest...))
}

// wrong says what is wrong with a command line. Of a flag that there is not it names the nearest.
func wrong(c *cli.Command, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err.Error()
	}
	text := fmt.Sprintf("there is no flag -%s", name)
	if near := strings.TrimLeft(cli.SuggestFlag(c.Flags, name, true), "-"); near != "" {
		text += fmt.Sprintf("; did you mean -%s?", near)
	}
	return text
}

// nearCommand returns the name of the command that is nearest to a mistyped one.
func nearCommand(name string) string {
	var all []*cli.Command
	for _, c := range commands {
		all = append(all, &cli.Command{Name: c.name})
	}
	return cli.SuggestCommand(all, name)
}

// printHelp prints the help of a command that parses its line itself.
func printHelp(f *flag.FlagSet) { _ = parseFlags(f, []string{"-h"}) }
