//go:build !iprof_off

package iprof_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"example.com/iprof"
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

func ExampleWriteCSV() {
	fresh(shop)
	var out bytes.Buffer
	if err := iprof.WriteCSV(&out); err != nil {
		fmt.Println(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	fmt.Println(rows[0][:3], err)
	for _, row := range rows[1:] {
		if strings.Contains(strings.Join(row, " "), "wrap") {
			fmt.Println("a row of wrap")
		}
	}
	// Output:
	// [frame frame_ms zone_id] <nil>
	// a row of wrap
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
				fmt.Println((len(drawn)-outermost)/3, zone, "called", strings.Fields(line)[5], "times")
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
			Zone  int
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
	// iprof dump 2 frames
	// sell 4
}

func ExampleWriteHTML() {
	fresh(shop)
	var page bytes.Buffer
	if err := iprof.WriteHTML(&page); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.HasPrefix(page.String(), "<!doctype html>"), strings.Contains(page.String(), `"sell"`))
	fmt.Println("links to elsewhere:", strings.Count(page.String(), `src="http`)+strings.Count(page.String(),
		`href="http`))
	// Output:
	// true true
	// links to elsewhere: 0
}

func ExampleLoggedScope_End() {
	var log bytes.Buffer
	iprof.SetLog(&log)
	defer iprof.SetLog(os.Stderr)
	loading := iprof.LogScope("load level")
	loading.End()
	loading.End() // once more: the time up to here
	fmt.Print(steady(log.String()))
	// Output:
	// load level took N ms (N ticks)
	// load level took N ms (N ticks)
}
