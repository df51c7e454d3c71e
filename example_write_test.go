//go:build !iprof_off

package iprof_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/process"
)

func ExampleWriteText() {
	fresh(shop)
	var out strings.Builder // a program would take os.Stdout
	if err := iprof.WriteText(&out); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(out.String()) {
		if fields := strings.Fields(line); len(fields) > 0 && strings.Contains(line, "sell") {
			fmt.Println("a row of sell")
		}
	}
	// Output: a row of sell
}

func ExampleWriteTree() {
	fresh(shop)
	var out strings.Builder
	if err := iprof.WriteTree(&out); err != nil {
		fmt.Println(err)
	}
	tree, _, _ := strings.Cut(out.String(), "\non ") // the one of all goroutines comes first
	outermost := 0
	for line := range strings.Lines(tree) {
		for _, zone := range []string{"open", "sell", "wrap"} {
			if drawn, _, found := strings.Cut(line, "- "+zone); found {
				if zone == "open" {
					outermost = len(drawn)
				}
				fmt.Println((len(drawn)-outermost)/3, zone, "called", strings.Fields(line)[3], "times")
			}
		}
	}
	// Output:
	// 0 open called 2 times
	// 1 sell called 4 times
	// 2 wrap called 4 times
}

func ExampleWriteJSON() {
	fresh(shop)
	var out bytes.Buffer
	if err := iprof.WriteJSON(&out); err != nil {
		fmt.Println(err)
	}
	var dump struct {
		Format string
		Frames int
		Zones  []struct{ Name string }
		Merged []struct {
			Zone  int `json:"zone_id"`
			Count float64
		}
	}
	if err := json.Unmarshal(out.Bytes(), &dump); err != nil {
		fmt.Println(err)
	}
	fmt.Println(dump.Format, dump.Frames, "frames")
	for _, node := range dump.Merged {
		if name := dump.Zones[node.Zone].Name; name == "sell" {
			fmt.Println(name, node.Count)
		}
	}
	// Output:
	// iprof 2 frames
	// sell 4
}

func ExampleWriteHTML() {
	fresh(shop)
	var page bytes.Buffer
	if err := iprof.WriteHTML(&page); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.HasPrefix(page.String(), "<!doctype html>"), strings.Contains(page.String(), `<bdi>sell</bdi>`))
	fmt.Println("links to elsewhere:", strings.Count(page.String(), `src="http`)+strings.Count(page.String(),
		`href="http`))
	// Output:
	// true true
	// links to elsewhere: 0
}

func ExampleLoggedScope_End() {
	fmt.Print(logged(func() {
		loading := iprof.LogScope("load level")
		loading.End()
		loading.End() // once more: the time up to here
	}))
	// Output:
	// load level took N ms (N ticks)
	// load level took N ms (N ticks)
}

// logged returns what f writes to standard error.
func logged(f func()) string {
	defer func(before *os.File) { os.Stderr = before }(os.Stderr)
	r, w, err := os.Pipe()
	if err != nil {
		return err.Error()
	}
	os.Stderr = w
	f()
	w.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return steady(string(text))
}

// steady replaces the numbers of an output that differ from run to run.
func steady(s string) string {
	s = regexp.MustCompile(`[0-9]+\.[0-9]+/[0-9]+ ms [0-9.]+%`).ReplaceAllString(s, "N/N ms N%")
	return regexp.MustCompile(`[0-9.]+ (ns|us|ms|s) \([0-9]+ ticks\)`).ReplaceAllString(s, "N ms (N ticks)")
}

var examplePool = iprof.Zone{Name: "memory pool"}

func ExampleLogEvery() {
	var log bytes.Buffer
	stop := iprof.LogEvery(&log, time.Hour, &examplePool)
	done := make(chan struct{})
	go func() {
		defer close(done)
		iprof.Register("worker 1")
		for range 3 {
			examplePool.Begin().End()
		}
	}()
	<-done
	stop() // the last lines
	fmt.Print(steady(log.String()))
	// Output: on "worker 1" zone "memory pool": N/N ms N% 3x
}

func ExampleLogScope() {
	load := func() {
		defer iprof.LogScope("load config").End()
	}
	fmt.Print(logged(load))
	// Output: load config took N ms (N ticks)
}

func ExampleWriteOnExit() {
	var table bytes.Buffer
	program := func() {
		defer iprof.WriteOnExit(&table) // in main, to os.Stderr
		defer iprof.Begin("convert").End()
	}
	program()
	row := regexp.MustCompile(`(?m)([0-9]+ +[0-9]+ +convert) +\S+ +(\S+)\.go`).FindStringSubmatch(table.String())
	fmt.Println(strings.Join(strings.Fields(row[1]), " "), "in", row[2])
	// Output: 1 0 convert in example_write_test
}

func ExampleExit() {
	run := func() error { return errors.New("no such file") }
	if err := run(); err != nil {
		fmt.Println(err)
		_ = func() { iprof.Exit(1) } // called here, it would end this example, too
	}
	// Output: no such file
}

func ExampleWriteOnSignal() {
	defer iprof.WriteOnSignal(os.Stderr, os.Interrupt)()
	fmt.Println("Ctrl+C now writes where the time went, and then ends the program")
	// Output: Ctrl+C now writes where the time went, and then ends the program
}

// A program that keeps its frames in a file, and another that opens it.
func ExampleRecord() {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("example%d.iprof", os.Getpid()))
	defer os.Remove(path)
	recorder, err := iprof.Record(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 10 {
		iprof.Begin("step").End()
		iprof.Update()
	}
	if err := recorder.Close(); err != nil {
		fmt.Println(err)
		return
	}
	_, contents, err := capture.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(contents.Frames, "frames, complete:", contents.Complete)
	// Output: 10 frames, complete: true
}

// A server shows its profile as a page. Give the address to those only who may see the names of zones.
func Example_handler() {
	fresh(shop)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/iprof", func(w http.ResponseWriter, _ *http.Request) { iprof.WriteHTML(w) })

	page := httptest.NewRecorder()
	mux.ServeHTTP(page, httptest.NewRequest("GET", "/debug/iprof", nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"), strings.Contains(page.Body.String(), "wrap"))
	// Output: 200 text/html; charset=utf-8 true
}

// Sections divide a run into named ranges of frames, each with its own statistics.
func ExampleSection() {
	play := func(frames int) {
		for range frames {
			iprof.Begin("step").End()
			iprof.Update()
		}
	}
	iprof.Reset()
	iprof.Section("level 1")
	play(3)
	iprof.Section("level 2")
	play(5)
	iprof.Section("") // in no section from the next frame on

	var now process.Snapshot
	iprof.Default().View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	for _, s := range now.Overview.Sections {
		fmt.Println(s.Name, s.Frames, "frames, p99 below 5 s:", s.P99 < 5000)
	}
	// Output:
	// level 1 3 frames, p99 below 5 s: true
	// level 2 5 frames, p99 below 5 s: true
}
