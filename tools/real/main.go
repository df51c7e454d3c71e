// Real builds programs and games of other people with and without zones, and compares their output, calls and costs.
//
//	go run ./tools/real -rounds 7
//	go run ./tools/real -rounds 3 -only 'programs/(goja|lua|starlark)'
//
// It needs the module proxy, and takes minutes for each round. Its log has a row of a table for each. The
// exit status is 1 if a program does not do the same with zones, or if its calls are miscounted.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"
)

var (
	rounds = flag.Int("rounds", 7, "`number` of runs of each program and build; the median counts")
	only   = flag.String("only", "", "check only what matches a `pattern`, as for the flag -run of go test")
)

func main() {
	testing.Init()
	flag.Parse()
	if *rounds < 1 {
		fmt.Fprintln(os.Stderr, "real: -rounds must be at least 1")
		os.Exit(2)
	}
	if err := errors.Join(flag.Set("test.v", "true"), flag.Set("test.run", *only)); err != nil {
		panic(err) // package testing has these flags
	}
	testing.Main(regexp.MatchString, []testing.InternalTest{{Name: "programs", F: checkPrograms},
		{Name: "games", F: checkGames}}, nil, nil)
}
