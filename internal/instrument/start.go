package instrument

import (
	"fmt"
	"strconv"
	"strings"
)

// Each program ends its recording at exit. One file of its main package, or of each package with tests, gets a function
// init for that.

// placeStarts chooses that file in each named package.
func (p *Plan) placeStarts() {
	for _, l := range p.packages {
		if l.DepOnly || !p.options.Test && l.Name != "main" {
			continue
		}
		var first *source
		for _, s := range p.sources {
			if s.pkg == l.ImportPath && !s.copied && (first == nil || isTest(first) && !isTest(s)) {
				first = s
			}
		}
		if first != nil {
			first.starts = true
		}
	}
}

// filesPackage is the import path that the go command gives to a package of named files.
const filesPackage = "command-line-arguments"

func isTest(s *source) bool { return strings.HasSuffix(s.path, "_test.go") }

// addStart inserts the imports that the function init needs, and returns the function.
func (s *source) addStart(p *Plan, auto string) (imports, text string) {
	if !s.starts {
		return "", ""
	}
	exit := s.unused("iprofExit")
	imports = fmt.Sprintf("; import %s %q", exit, exitPackage)
	for _, path := range p.options.Imports {
		imports += "; import _ " + strconv.Quote(p.place(path))
	}
	return imports, fmt.Sprintf("func init() { %s.Add(%s.Finish) }\n", exit, auto)
}
