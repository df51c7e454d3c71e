package console

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// ownCommands returns the commands that only lines of text run, because they print whole reports, and help, which
// answers in words. All other commands are the panel's.
func ownCommands() []viewer.Command {
	return []viewer.Command{
		{Name: "report", Group: viewer.GroupOutput, Arguments: "[MODE]",
			Action: "print the current view, or the same in another mode", Line: printReport},
		{Name: "tree", Group: viewer.GroupOutput,
			Action: "print everything since start or reset, as trees", Line: tree},
		{Name: "dump-html", Group: viewer.GroupOutput, Arguments: "[FILE]",
			Action: "write everything as an HTML page to a new file, or to a temporary file", Line: dumpHTML},
		{Name: "help", Group: viewer.GroupDisplay, Arguments: "[WORD]",
			Action: "list the commands, or explain one", Line: help},
	}
}

// commands returns the commands that lines of text run: first the commands that take arguments or print, from A to Z,
// then the commands of the window. own is the number of the first ones.
func commands(s *process.Session) (all []viewer.Command, own int) {
	all = ownCommands()
	var others []viewer.Command
	for _, c := range viewer.PanelFor(s).Commands() {
		switch {
		case slices.ContainsFunc(all, func(o viewer.Command) bool { return o.Name == c.Name }):
		case c.Line != nil:
			all = append(all, c)
		case c.Do != nil:
			others = append(others, c)
		}
	}
	slices.SortFunc(all, func(a, b viewer.Command) int { return strings.Compare(nameOf(&a), nameOf(&b)) })
	return append(all, others...), len(all)
}

// nameOf returns the name of a command in lines of text.
func nameOf(c *viewer.Command) string {
	if c.Also != "" {
		return c.Also
	}
	return c.Name
}

// find returns the command with a name, which may be shortened. Commands that take arguments or print come first.
func find(s *process.Session, typed string) (viewer.Command, error) {
	all, own := commands(s)
	names := make([]string, len(all))
	for i := range all {
		if names[i] = nameOf(&all[i]); strings.EqualFold(typed, all[i].Name) {
			return all[i], nil
		}
	}
	at, err := viewer.Choose("command", typed, names[:own])
	if err == nil {
		return all[at], nil
	}
	if at, failed := viewer.Choose("command", typed, names[own:]); failed == nil {
		return all[own+at], nil
	}
	return viewer.Command{}, err
}

// completed returns a line whose command is completed as far as it is unambiguous. After a command it completes an
// argument in the same way if the argument is one of a few words.
func completed(s *process.Session, typed string) string {
	name, argument, behind := strings.Cut(strings.TrimLeft(typed, " "), " ")
	all, _ := commands(s)
	if !behind {
		var names []string
		for i := range all {
			names = append(names, nameOf(&all[i]))
		}
		return completedWord("", name, names)
	}
	c, err := find(s, name)
	if err != nil || strings.Contains(argument, " ") {
		return typed
	}
	words := strings.FieldsFunc(c.Arguments, func(r rune) bool { return strings.ContainsRune("[]| ", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return strings.ToLower(w) != w })
	return completedWord(name+" ", argument, words)
}

// completedWord returns before and the longest prefix that all choices beginning with word share.
func completedWord(before, word string, choices []string) string {
	choices = slices.DeleteFunc(choices, func(c string) bool { return !strings.HasPrefix(c, word) })
	if len(choices) == 0 {
		return before + word
	}
	common := choices[0]
	for _, c := range choices[1:] {
		for !strings.HasPrefix(c, common) {
			common = common[:len(common)-1]
		}
	}
	if len(choices) == 1 {
		common += " "
	}
	return before + common
}

func help(t *viewer.Line) error {
	if t.Rest != "" {
		c, err := find(t.Session, t.Rest)
		if err != nil {
			return err
		}
		t.Printf("%s %s\n%s", nameOf(&c), c.Arguments, c.Says())
		return nil
	}
	all, own := commands(t.Session)
	for i := range all[:own] {
		t.Printf("%-12s  %-33s  %s", nameOf(&all[i]), all[i].Arguments, all[i].Says())
	}
	t.Printf("\nCommands of the window, with the same effect here:")
	for i := range all[own:] {
		c := &all[own+i]
		t.Printf("%-19s  %s", nameOf(c), c.Says())
	}
	t.Printf("\nWords may be shortened while they are unambiguous: mod call is mode callgraph.")
	return nil
}

func printReport(t *viewer.Line) error {
	view := t.Session.View().Get()
	if t.Rest != "" {
		mode, err := viewer.ModeOf(t.Rest)
		if err != nil {
			return err
		}
		view.Mode = mode
	}
	var r report.Report
	t.Session.View().AppendReportOf(&r, view)
	_ = text.WriteReport(t, &r, text.Options{Cursor: true, Precision: t.Panel.Options().Precision}) // t keeps the error
	return nil
}

func tree(t *viewer.Line) error {
	if t.Rest != "" {
		return fmt.Errorf("%q is not expected here", t.Rest)
	}
	d := t.Session.Dump(report.DumpOptions{NoFrames: true, Nodes: report.DumpNodes})
	_ = text.WriteTree(t, d, text.Options{Idle: t.Session.View().Get().ShowIdle}) // t keeps the error
	return nil
}

// dumpHTML writes a page to a new file. It never overwrites a file, because commands may come from a socket.
func dumpHTML(t *viewer.Line) error {
	f, err := create(t.Rest)
	if err != nil {
		return err
	}
	err = html.Write(f, t.Session.Dump(report.DumpPage), html.Options{})
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	t.Printf("wrote %q", f.Name())
	return nil
}

// create creates a file that only its owner may read. The file must not exist. Without a path it is a temporary file.
func create(path string) (*os.File, error) {
	if path == "" {
		return outfile.NewIn("", strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")+"-*.html")
	}
	return outfile.New(path)
}
