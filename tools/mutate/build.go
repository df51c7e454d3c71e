package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// build is the module with faults. A fault in a function stands in a copy of the function's body, which runs if the
// environment has the fault's number, so that one build has many. A fault elsewhere, such as that of a constant, has a
// build of its own.
type build struct {
	faults  []fault // their numbers are their places, from 1 on
	scratch string

	mu       sync.Mutex
	binaries map[string]error // that were built, by folder
}

// variable is the environment's variable with the number of a fault, and number is the variable of each package.
const (
	variable = "MUTATE_FAULT"
	number   = "mutateFault"
)

// chooser has the file of each package that reads the number.
const chooser = `package %s

import (
	"os"
	"strconv"
)

var ` + number + ` = func() int { n, _ := strconv.Atoi(os.Getenv("` + variable + `")); return n }()
`

// text returns a file with its faults.
func (b *build) text(file string) ([]byte, error) {
	was, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if f := &b.faults[0]; f.body == nil {
		return slices.Concat(was[:f.begin], []byte(f.replacement), was[f.end:]), nil
	}
	order := make([]int, len(b.faults))
	for i := range order {
		order[i] = i
	}
	order = slices.DeleteFunc(order, func(i int) bool { return b.faults[i].file != file })
	slices.SortStableFunc(order, func(i, k int) int {
		return cmp.Compare(b.faults[i].body.begin, b.faults[k].body.begin)
	})
	var text []byte
	last := 0
	for i, at := range order {
		f := &b.faults[at]
		text = append(text, was[last:f.body.begin]...)
		last = f.body.begin
		text = fmt.Appendf(text, "if %s == %d {/*line fault-%d:1:1*/%s%s%s", number, at+1, at+1,
			was[f.body.begin:f.begin], f.replacement, was[f.end:f.body.end])
		if !f.body.results {
			text = append(text, "\nreturn"...)
		}
		text = append(text, "\n}\n"...)
		if i+1 == len(order) || b.faults[order[i+1]].body != f.body {
			text = fmt.Appendf(text, "/*line %s:%d:%d*/", whole, f.body.line, f.body.column)
		}
	}
	return append(text, was[last:]...), nil
}

// write writes the files with faults, and the overlay for the go command.
func (b *build) write() error {
	if err := os.MkdirAll(b.scratch, 0o700); err != nil {
		return err
	}
	replace := map[string]string{}
	add := func(file string, text []byte) error {
		whole, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		replace[whole] = filepath.Join(b.scratch, strings.ReplaceAll(file, "/", "_"))
		return os.WriteFile(replace[whole], text, 0o600)
	}
	for _, f := range b.faults {
		text, err := b.text(f.file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.file, nil, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		choice := fmt.Appendf(nil, chooser, parsed.Name.Name)
		err = cmp.Or(add(f.file, text), add(filepath.Dir(f.file)+"/"+strings.ToLower(number)+".go", choice))
		if err != nil {
			return err
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlay(), list, 0o600)
}

func (b *build) overlay() string { return filepath.Join(b.scratch, "overlay.json") }

var badFault = regexp.MustCompile(`\bfault-(\d+):`)

// compile removes the faults that do not compile, and reports whether there were any.
func (b *build) compile(ctx context.Context) (bad bool, err error) {
	if err := b.write(); err != nil {
		return false, err
	}
	args := []string{"build", "-gcflags=-e", "-overlay", b.overlay()}
	for _, f := range b.faults {
		args = append(args, "./"+filepath.Dir(f.file))
	}
	slices.Sort(args[4:])
	out, err := command(ctx, ".", "go", slices.Compact(args)...)
	if err == nil {
		return false, nil
	}
	wrong := map[int]bool{}
	for _, found := range badFault.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(found[1])
		wrong[n] = true
	}
	if b.faults[0].body == nil {
		wrong[1] = true
	}
	if len(wrong) == 0 || ctx.Err() != nil {
		return false, fmt.Errorf("building faults: %w\n%s", err, out)
	}
	n := 0
	b.faults = slices.DeleteFunc(b.faults, func(fault) bool { n++; return wrong[n] })
	return true, nil
}

// binary builds the tests of a folder, and returns their file.
func (b *build) binary(ctx context.Context, folder string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	file := filepath.Join(b.scratch, strings.ReplaceAll(folder, "/", "_")+".test")
	err, built := b.binaries[folder]
	if !built {
		var out string
		if out, err = command(ctx, ".", "go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", b.overlay(), "-o",
			file, "./"+folder); err != nil {
			err = fmt.Errorf("building the tests of %s: %w: %s", folder, err, bytes.TrimSpace([]byte(out)))
		}
		if b.binaries == nil {
			b.binaries = map[string]error{}
		}
		b.binaries[folder] = err
	}
	return file, err
}
