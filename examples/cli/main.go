// Command cli profiles a program that runs once: it counts the words of files. There are no frames. With -tree the
// tree of the whole run is printed at the end, with -pprof it goes to a file for go tool pprof.
//
//	go run ./examples/cli -tree README.md DESIGN.md
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/iprof"
	"example.com/iprof/export"
	"example.com/iprof/process/report"
)

func main() {
	tree := flag.Bool("tree", false, "print where the time went")
	profile := flag.String("pprof", "", "write a profile to this `file`")
	flag.Parse()
	counts := map[string]int{}
	for _, path := range flag.Args() {
		text, err := read(path)
		check(err)
		count(counts, text)
	}
	print(counts)
	if *tree {
		check(iprof.WriteTree(os.Stdout))
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		check(err)
		check(export.Pprof(file, iprof.Default().Dump(report.DumpOptions{NoFrames: true})))
		check(file.Close())
	}
}

func read(path string) (string, error) {
	defer iprof.Begin("read").End()
	text, err := os.ReadFile(path)
	return string(text), err
}

func count(counts map[string]int, text string) {
	defer iprof.Begin("count").End()
	for word := range strings.FieldsSeq(text) {
		counts[strings.ToLower(word)]++
	}
}

func print(counts map[string]int) {
	defer iprof.Begin("print").End()
	for _, word := range sorted(counts)[:min(len(counts), 5)] {
		fmt.Printf("%6d %s\n", counts[word], word)
	}
}

func sorted(counts map[string]int) (words []string) {
	defer iprof.Func().End()
	for word := range counts {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return words
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
