package instrument

import (
	"fmt"
	"path/filepath"
	"slices"
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
			if s.pkg == l.ImportPath && !s.embedded && !s.copied && (first == nil || isTest(first) && !isTest(s)) {
				first = s
			}
		}
		if first != nil {
			first.starts = true
		} else if len(l.GoFiles) > 0 && l.ImportPath != filesPackage {
			p.starters = append(p.starters, l)
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

// writeStarters adds a file to packages with only embedded files.
func (p *Plan) writeStarters(overlay map[string]string) error {
	for _, l := range p.starters {
		s := &source{starts: true}
		imports, text := s.addStart(p, autoName)
		text = fmt.Sprintf("package %s; import %s %q%s\n\n%s", l.Name, autoName, p.place(autoPackage), imports, text)
		own := filepath.Join(l.Dir, "zz_iprof_start.go")
		path, err := p.write(own, []byte(text))
		if err != nil {
			return err
		}
		overlay[own] = path
	}
	return nil
}

// leaveEmbedded removes the zones from the functions of an embedded file: the program would see them.
func (s *source) leaveEmbedded(l *listed) {
	if s.embedded = l.isEmbedded(filepath.Base(s.path)); !s.embedded {
		return
	}
	for _, f := range s.list {
		f.skip = "the program embeds its file"
	}
}

// isEmbedded reports whether the program embeds a file of the package, and so sees its contents.
func (l *listed) isEmbedded(name string) bool {
	return slices.Contains(l.EmbedFiles, name) || slices.Contains(l.TestEmbedFiles, name) ||
		slices.Contains(l.XTestEmbedFiles, name)
}
