package main

import (
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/boxfont"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
)

func TestFlagsSetOptions(t *testing.T) {
	o, err := parse(strings.Fields("-workload replay -frames 9 -size 800x600 -scale 1.5 -seed 7 -hidden -screenshot " +
		"a.png -report - -out .. -events"))
	want := options{
		workload: "replay", frames: 9, width: 800, height: 600, scale: 1.5, seed: 7, hidden: true,
		screenshot: "a.png", report: "-", out: "..", events: true, limits: budget.Usual, sized: true,
	}
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v, %v; want %+v", o, err, want)
	}
	o, err = parse(nil)
	want = options{workload: "game", width: 1280, height: 720, seed: 1, out: ".", limits: budget.Usual, greets: true}
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("no flags: got %+v, %v; want %+v", o, err, want)
	}
}

func TestBadFlagsAreOneLineAndExitTwo(t *testing.T) {
	for _, args := range []string{"-workload nonsense", "-frames -1", "-frames x", "-size 1280", "-size 0x720",
		"-size 99999x99999",
		"-scale 0.1", "-scale 4.5", "-workload=", "-report /no/such/folder/a.txt",
		"-screenshot /no/such/folder/a.png", "-out /no/such/folder", "-scale NaN", "-seed -1", "-hidden", "-nonsense",
		"stray"} {
		t.Run(args, func(t *testing.T) {
			var out, errors bytes.Buffer
			code := run(strings.Fields(args), &out, &errors)
			line := errors.String()
			if code != exitUsage || strings.Count(line, "\n") != 1 || !strings.HasPrefix(line, "glviewer: ") ||
				out.Len() > 0 {
				t.Errorf("%s: got exit %d, output %q, error %q; want exit 2 and one line", args, code, out.String(),
					line)
			}
		})
	}
}

func TestHelpNamesEveryFlag(t *testing.T) {
	var out, errors bytes.Buffer
	if code := run([]string{"-h"}, &out, &errors); code != 0 || errors.Len() > 0 {
		t.Errorf("-h: got exit %d, error %q; want 0 and none", code, errors.String())
	}
	for _, flag := range []string{"workload", "frames", "size", "scale", "seed", "hidden", "screenshot", "report",
		"out", "events", "version"} {
		if !strings.Contains(out.String(), "\n  -"+flag+" ") {
			t.Errorf("-h: got no line for -%s; want one", flag)
		}
	}
}

func TestTheVersionBeginsWithTheName(t *testing.T) {
	var out, errors bytes.Buffer
	if code := run([]string{"-version"}, &out, &errors); code != 0 || !strings.HasPrefix(out.String(), "glviewer ") {
		t.Errorf("-version: got exit %d, %q; want 0 and the name first", code, out.String())
	}
}

// The window asks what to show if no flag says so.
func TestOnlyFlagsAboutTheWindowLeaveTheChoice(t *testing.T) {
	for line, want := range map[string]bool{"-size 800x600 -scale 2 -events": true, "-workload game": false,
		"-frames 9": false, "-hitch 9": false, "-connect a:1": false, "main.go": false, "-record x.iprof": false} {
		if o, err := parse(strings.Fields(line)); err != nil || o.greets != want {
			t.Errorf("%s: got %v, %v; want %v", line, o.greets, err, want)
		}
	}
}

func TestArgumentsAreFilesAndPrograms(t *testing.T) {
	if o, err := parse([]string{"-scale", "2", "main.go"}); err != nil || !slices.Equal(o.files, []string{"main.go"}) {
		t.Errorf("got file %q, %v", o.files, err)
	}
	o, err := parse([]string{"-connect", "a:1", "-connect", "b:2", "main.go", "help.go"})
	if err != nil || len(o.files) != 2 || !slices.Equal(o.programs, []string{"a:1", "b:2"}) {
		t.Errorf("got %q, %q, %v; want two of each", o.files, o.programs, err)
	}
	if _, err := parse([]string{"main.go", "nothing"}); err == nil || !strings.HasPrefix(err.Error(), "nothing: ") {
		t.Errorf("a file that is not there: got %v", err)
	}
}

// The window opens with the other fonts. A file that is not there is an error.
func TestADamagedFontIsALine(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.ttf"), filepath.Join(dir, "bad.ttf")
	font := boxfont.Font("物")
	for name, text := range map[string][]byte{good: font, bad: font[:len(font)/2]} {
		must.Do(t, os.WriteFile(name, text, 0o600))
	}
	t.Setenv(system.Environment, bad)
	o, err := parse([]string{"-font", bad, "-font", good})
	if err != nil || !slices.Equal(o.fonts, []string{good}) || len(o.unused) != 2 {
		t.Fatalf("got %q, %q, %v; want the good one, and a line for each bad one", o.fonts, o.unused, err)
	}
	for _, line := range o.unused {
		if !strings.Contains(line, bad) || !strings.Contains(line, "damaged") || strings.Contains(line, "\n") {
			t.Errorf("got %q; want a line that it is damaged", line)
		}
	}
	if _, err := parse([]string{"-font", filepath.Join(dir, "none.ttf")}); err == nil {
		t.Error("a file that is not there: got no error")
	}
}

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

// -connect names the program that gets the token. A program that the user adds in the window gets none. Where -connect
// names none, it is for the first added one.
func TestTheTokenIsForTheNamedPrograms(t *testing.T) {
	got := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		http.NotFound(w, r)
	}))
	defer server.Close()
	for _, variable := range []string{"", "of the variable"} {
		t.Setenv("IPROF_TOKEN", variable)
		for _, test := range []struct {
			named []string
			want  string
		}{{nil, "Bearer T"}, {[]string{server.URL}, "Bearer T"}, {[]string{server.URL + "/svc-a"}, ""}} {
			v := &application{options: options{programs: test.named, token: "T", limits: budget.Usual}}
			for _, path := range []string{"", "/svc-b"} { // only the first that is added gets it
				p, _ := must.Two(v.dial(server.URL + path))(t)
				_, _ = p.Command(t.Context(), "reset")
				if got != test.want {
					t.Errorf("-connect %v: %s got %q; want %q", test.named, path, got, test.want)
				}
				test.want = ""
			}
		}
	}
}
