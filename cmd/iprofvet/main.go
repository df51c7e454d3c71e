// The command iprofvet finds zones that a program enters or leaves wrongly. Run it alone or by go vet, in a module that
// uses the profiler:
//
//	iprofvet ./...
//	go vet -vettool=$(which iprofvet) ./...
//
// Both end with a status other than 0 if they find something. "iprofvet -help" lists the mistakes, and -fix mends
// those whose repair is certain. Tags are those of GOFLAGS=-tags=….
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"example.com/iprof/cmd/iprofvet/misuse"
)

func main() { singlechecker.Main(misuse.Analyzer) }
