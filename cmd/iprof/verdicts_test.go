package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The capture of the replay has spikes at known places, with known zones.
func TestVerdictsAndGraph(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ command, want string }{
		{"verdicts", "streaming"}, {"graph physics_solve", "simulate"}, {"graph physics_solve", "broadphase"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		words := strings.Fields(test.command)
		if got := named(words[0])(append([]string{"-o", out}, append(words[1:], path)...)); got != 0 {
			t.Fatalf("%s: got status %d", test.command, got)
		}
		if text := string(readFile(t, out)); !strings.Contains(text, test.want) {
			t.Errorf("%s: there is no %q in\n%s", test.command, test.want, text)
		}
	}
	for _, bad := range [][]string{{"graph", "nobody", path}, {"verdicts", "nothing"}} {
		if got := named(bad[0])(bad[1:]); got != 1 {
			t.Errorf("%q: got status %d; want 1", bad, got)
		}
	}
	if got := named("verdicts")([]string{"-h"}); got != 0 {
		t.Errorf("-h: got status %d; want 0", got)
	}
	for _, bad := range [][]string{{"graph", path}, {"verdicts"}, {"serve"}, {"verdicts", "-nonsense", path}} {
		if got := named(bad[0])(bad[1:]); got != 2 {
			t.Errorf("%q: got status %d; want 2", bad, got)
		}
	}
}

// Verdicts and pages name the command that shows a frame, with the zone that took the time. The file may have any name.
func TestVerdictsAndPagesLinkToTheirFrames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "it's #1 <b>.iprof")
	must.Do(t, os.Rename(recorded(t), path))
	want := "iprof view '" + filepath.Join(dir, `it'"'"'s #1 <b>.iprof`) + "#frame="
	for _, command := range []string{"verdicts", "html"} {
		out := filepath.Join(dir, "out")
		if got := named(command)([]string{"-o", out, path}); got != 0 {
			t.Fatalf("%s: got status %d", command, got)
		}
		text := string(readFile(t, out))
		if command == "html" {
			text = html.UnescapeString(text)
		}
		_, link, _ := strings.Cut(text, want)
		if link, _, _ = strings.Cut(link, "\n"); !strings.Contains(link, "&zone=streaming'") {
			t.Errorf("%s: got %.200q after %s; want a link to a zone", command, link, want)
		}
	}
}

// named returns the function of a command.
func named(name string) func(args []string) int {
	for _, c := range commands {
		if c.name == name {
			return c.run
		}
	}
	return nil
}

// The page of a capture and of a program elsewhere is there until the command is interrupted.
func TestServeShowsThePageUntilItIsInterrupted(t *testing.T) {
	for name, source := range map[string]string{"file": recorded(t), "program": serving(t)} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			in, out := io.Pipe()
			ended := make(chan error, 1)
			asJSON := name == "program"
			go func() { ended <- serveTo(ctx, out, "127.0.0.1:0", source, asJSON) }()
			line := make([]byte, 500)
			n := must.Get(in.Read(line))(t)
			url := strings.TrimSpace(string(line[:n]))
			if asJSON {
				var said shownAt
				if err := json.Unmarshal(line[:n], &said); err != nil || said.Source != source {
					t.Fatalf("got %v, %q; want an object about %s", err, line[:n], source)
				}
				url = said.URL
			}
			for page := ""; !strings.Contains(page, "render_world"); { // the program's first frame takes a moment
				page = get(t, url+"tree")
			}
			if page := get(t, url); !strings.Contains(page, "<!doctype html>") {
				t.Errorf("got %.300s", page)
			}
			stop()
			if err := <-ended; err != nil {
				t.Errorf("at the end: got %v", err)
			}
		})
	}
}

// Pages name the program that was measured, and not this one.
func TestServeNamesTheProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doom.iprof")
	file := must.Get(os.Create(path))(t)
	s := process.NewSession()
	r := world.NewGame(1, s)
	info := framefile.Info{Program: "doom", GoVersion: "go9.9", Machine: "a box"}
	recorder := must.Get(capture.Record(s, capture.RecordOptions{To: file, Info: info}))(t)
	for range 3 {
		must.Do(t, r.Step())
	}
	must.Do(t, errors.Join(recorder.Close(), file.Close()))
	session := must.Get(served(t.Context(), path))(t)
	d := session.Dump(report.DumpOptions{})
	if d.Program != "doom" || d.GoVersion != "go9.9" || d.Machine != "a box" {
		t.Errorf("got %s, %s, %s; want doom of the capture", d.Program, d.GoVersion, d.Machine)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer := must.Get(http.Get(url))(t)
	defer answer.Body.Close()
	body := must.Get(io.ReadAll(answer.Body))(t)
	return string(body)
}

func TestTheManualPageHasEachCommand(t *testing.T) {
	page := string(readFile(t, "../../tools/packaging/iprof.1"))
	for _, c := range commands {
		if !strings.Contains(page, "\n.B "+c.name+"\n") {
			t.Errorf("the manual page has no %s", c.name)
		}
	}
}

// Of a long file only some frames are read into a session, and the verdicts are the same.
func TestLongFilesAreReadInPart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.iprof")
	file := must.Get(os.Create(path))(t)
	w, p := framefile.NewWriter(file, framefile.Info{Program: "long"}), world.NewRandom(3)
	p.Prepare()
	for i := range 3000 {
		if i%190 == 100 {
			p.Plant(world.Fault(i / 190 % world.Faults))
		}
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	must.Do(t, errors.Join(w.Close(), file.Close()))
	shows := map[string][]string{"top": {path}, "verdicts": {path}, "graph": {"zone 3", path}, "diff": {path, path},
		"tree": {path}, "frames": {path}}
	all := shownBy(t, shows)
	before := longFile
	defer func() { longFile = before }()
	longFile = 1
	for name, got := range shownBy(t, shows) {
		if want := all[name]; got != want || !strings.Contains(got, "zone 3") && name != "diff" && name != "frames" {
			t.Errorf("%s: got\n%s\nwant what it is of all frames in a session\n%s", name, got, want)
		}
	}
	c, err := openNewest(path)
	if err != nil || c.File == nil {
		t.Fatalf("got %v, file %v; want a part", err, c)
	}
	c.close()
}

// long is a number with more digits than sums in another order have in common.
var long = regexp.MustCompile(`(\.\d{6})\d+`)

// shownBy returns what commands print.
func shownBy(t *testing.T, shows map[string][]string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for name, args := range shows {
		for _, flags := range [][]string{nil, {"-json"}} {
			status, text, complaint := ran(t, append(append([]string{name}, flags...), args...)...)
			if status != 0 || complaint != "" {
				t.Fatalf("%s %v: got status %d, %q", name, flags, status, complaint)
			}
			texts[name] += long.ReplaceAllString(text, "$1")
		}
	}
	return texts
}

// The address has a token, and the page names the command for it. Nothing is printed if nothing can be served.
func TestAPrintedAddressOpens(t *testing.T) {
	file := recorded(t)
	for _, address := range []string{":0", "127.0.0.1:0", "0.0.0.0:0"} {
		ctx, stop := context.WithCancel(t.Context())
		r, w := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- serveTo(ctx, w, address, file, false) }()
		line := must.Get(bufio.NewReader(r).ReadString('\n'))(t)
		u, err := url.Parse(strings.TrimSpace(line))
		if err != nil || u.Hostname() != "127.0.0.1" && (u.Hostname() != "localhost" || address != "0.0.0.0:0") {
			t.Errorf("%s: printed %q, %v", address, line, err)
		}
		page := fetched(t, u.String(), http.StatusOK)
		prefix := path.Dir(path.Dir(path.Clean(u.Path)))
		if want := "iprof view http://" + u.Host + prefix + "<"; !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", address, want)
		}
		if p, err := remote.New("http://"+u.Host+prefix, ""); err != nil || p.URL("") != u.String() {
			t.Errorf("%s: iprof view asks %s, %v; want %s", address, p.URL(""), err, u)
		}
		fetched(t, "http://"+u.Host+"/debug/iprof/", http.StatusNotFound)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	var out strings.Builder
	if err := serveTo(t.Context(), &out, "127.0.0.1:1", file+"x", false); err == nil || out.Len() > 0 {
		t.Errorf("without a file: got %v, printed %q", err, &out)
	}
	for _, bad := range []string{"7180", "::1:7180", "localhost", ":99999"} {
		if got := serve([]string{"-addr", bad, file}); got != 2 {
			t.Errorf("-addr %s: status %d; want 2", bad, got)
		}
	}
}

func fetched(t *testing.T, address string, status int) string {
	t.Helper()
	answer := must.Get(http.Get(address))(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Errorf("%s: status %d, %v; want %d", address, answer.StatusCode, err, status)
	}
	return string(text)
}
