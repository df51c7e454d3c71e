package main

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
)

const packaging = "../../tools/packaging/"

func manual(t *testing.T) string {
	t.Helper()
	page := must.Get(os.ReadFile(packaging + "glviewer.1"))(t)
	return strings.ReplaceAll(string(page), `\-`, "-")
}

// Each flag is described where people look: in what -h prints and in the manual page, and no other is.
func TestEveryFlagIsDescribed(t *testing.T) {
	page := manual(t)
	known := map[string]bool{"h": true}
	flags(new(options), new(string)).VisitAll(func(f *flag.Flag) {
		known[f.Name] = true
		if !strings.Contains(usage, "\n  -"+f.Name+" ") {
			t.Errorf("-h: got no line for -%s; want one", f.Name)
		}
		if !regexp.MustCompile(`(?m)^\.BI? -` + f.Name + `( |$)`).MatchString(page) {
			t.Errorf("manual page: got no entry for -%s; want one", f.Name)
		}
	})
	for _, m := range regexp.MustCompile(`(?m)(?:^  |^\.BI? )-([a-z]+)`).FindAllStringSubmatch(usage+page, -1) {
		if !known[m[1]] {
			t.Errorf("got -%s described; want flags that exist", m[1])
		}
	}
	for _, name := range workload.Names() {
		if !strings.Contains(usage, " "+name+" ") || !strings.Contains(page, ".B "+name+"\n") {
			t.Errorf("got no description of the sample %s; want one in -h and in the manual page", name)
		}
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	for line := range strings.Lines(usage) {
		if len(line) > 125 || strings.Contains(line, "\t") {
			t.Errorf("got the line %q; want at most 124 characters and no tab", line)
		}
	}
}

// The pages are ones that the formatters of all systems take without complaint.
func TestManualPagesAreWellFormed(t *testing.T) {
	found := false
	for _, check := range [][]string{{"mandoc", "-Tlint"}, {"groff", "-ww", "-man", "-Tutf8", "-z"}} {
		if _, err := exec.LookPath(check[0]); err != nil {
			continue
		}
		found = true
		if out, err := exec.Command(check[0], append(check[1:],
			packaging+"glviewer.1", packaging+"iprof.1")...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: got %v\n%s; want silence", check, err, out)
		}
	}
	if !found {
		t.Skip("neither mandoc nor groff is here")
	}
}

func TestDesktopEntryIsWellFormed(t *testing.T) {
	if _, err := exec.LookPath("desktop-file-validate"); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command("desktop-file-validate", packaging+"glviewer.desktop").CombinedOutput(); err != nil ||
		len(out) > 0 {
		t.Errorf("got %v\n%s; want silence", err, out)
	}
}

// What the desktop entry starts is a command line that the program takes.
func TestDesktopEntryStartsTheProgram(t *testing.T) {
	entry := must.Get(os.ReadFile(packaging + "glviewer.desktop"))(t)
	lines := regexp.MustCompile(`(?m)^Exec=glviewer(.*)$`).FindAllStringSubmatch(string(entry), -1)
	for _, m := range lines {
		if _, err := parse(strings.Fields(strings.ReplaceAll(m[1], "%F", "help.go"))); err != nil {
			t.Errorf("Exec=glviewer%s: got %v; want it accepted", m[1], err)
		}
	}
	if len(lines) < 2 {
		t.Errorf("got %d commands; want the program and its other ways to start", len(lines))
	}
	if want := "\nStartupWMClass=" + windowClass + "\n"; !strings.Contains(string(entry), want) {
		t.Errorf("got no %q; want the class that the window has", want)
	}
}
