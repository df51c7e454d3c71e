package instrument

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strings"
)

// The go command gives the program's own files to its tool cover, whatever the overlay says. So with -cover the go
// command runs its tools through this program (-toolexec). It runs cover as usual, and then inserts the zones into
// cover's output. Coverage is the same as without zones.

// insertion is a text inserted into a rewritten file. Offset is its place in the program's own file.
type insertion struct {
	Offset int
	Text   string
}

// insertionsEnd ends the name of the file with a rewritten file's insertions.
const insertionsEnd = ".insertions"

// writeInsertions writes the insertions of a rewritten file.
func (s *source) writeInsertions(path string) error {
	var list []insertion
	for _, c := range s.edits.list {
		if c.begin != c.end {
			return fmt.Errorf("%s: zones replace a part of the file", s.path) // never happens
		}
		list = append(list, insertion{c.begin, c.text})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return writeChanged(path+insertionsEnd, text)
}

// coverVersion prints a changed version of cover, so that the build cache keeps the outputs with and without zones
// apart.
func coverVersion(tool string, args []string) error {
	var out bytes.Buffer
	if err := runTool(tool, args, &out); err != nil {
		return err
	}
	line, more := strings.TrimSpace(out.String()), " iprof1"
	if strings.Contains(line, "buildID=") {
		more = "-iprof1"
	}
	_, err := fmt.Println(line + more)
	return err
}

// coverWithZones runs cover, then inserts the zones. The first file of its list of outputs is for its variables.
func coverWithZones(overlay, tool string, args []string) error {
	replaced, err := readOverlay(overlay)
	if err != nil {
		return err
	}
	at := slices.Index(args, "-outfilelist") + 1
	if at == 0 || at == len(args) {
		return runTool(tool, args, os.Stdout)
	}
	list, err := os.ReadFile(args[at])
	if err != nil {
		return err
	}
	outputs, inputs := strings.Fields(string(list)), args[at+1:]
	if len(outputs) != len(inputs)+1 {
		return runTool(tool, args, os.Stdout)
	}
	kept := outputs[:1:1] // existing files
	args = args[: at+1 : at+1]
	for i, input := range inputs {
		if _, err := os.Stat(input); err == nil {
			kept, args = append(kept, outputs[i+1]), append(args, input)
		} else if err := copyFile(replaced.Replace[input], outputs[i+1]); err != nil {
			return err
		}
	}
	args[at] += ".iprof"
	if err := os.WriteFile(args[at], []byte(strings.Join(kept, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	if err := runTool(tool, args, os.Stdout); err != nil {
		return err
	}
	for i, input := range args[at+1:] {
		if err := insertZones(input, replaced.Replace[input], kept[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// insertZones inserts the zones of a file into cover's output. If they cannot be placed, the file has coverage and no
// zones.
func insertZones(own, rewritten, covered string) error {
	if rewritten == "" {
		return nil
	}
	var list []insertion
	text, err := os.ReadFile(rewritten + insertionsEnd)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return err
	}
	before, err := os.ReadFile(own)
	if err != nil {
		return err
	}
	after, err := os.ReadFile(covered)
	if err != nil {
		return err
	}
	out, ok := insertBoth(before, after, list)
	if !ok {
		fmt.Fprintf(os.Stderr, "iprof: %s has no zones, because cover changes it in an unknown way\n", own)
		return nil
	}
	return os.WriteFile(covered, out, 0o644)
}

// insertBoth inserts a list into a text that already has insertions: own is the text without them. The text must
// contain each token of own, in order. If it does not, or if the result is no valid Go, ok is false.
func insertBoth(own, text []byte, list []insertion) (out []byte, ok bool) {
	a, b := tokens(own), tokens(text)
	e := &edits{source: text}
	next, at := 0, 0 // of the list, of b
	for i := range a {
		for at < len(b) && b[at].text != a[i].text {
			at++
		}
		if at == len(b) {
			return nil, false
		}
		for ; next < len(list) && list[next].Offset <= a[i].begin; next++ {
			e.insert(b[at].begin, list[next].Text)
		}
		for ; next < len(list) && list[next].Offset <= a[i].end(); next++ {
			e.insert(b[at].begin+list[next].Offset-a[i].begin, list[next].Text)
		}
		at++
	}
	for ; next < len(list); next++ {
		e.insert(len(text), "\n"+list[next].Text)
	}
	out = e.bytes()
	_, err := parser.ParseFile(token.NewFileSet(), "", out, 0)
	return out, err == nil
}

// lexeme is a token of a file.
type lexeme struct {
	begin int
	text  string
}

func (l *lexeme) end() int { return l.begin + len(l.text) }

// tokens returns the tokens of a file without semicolons, which may be implied.
func tokens(text []byte) (list []lexeme) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, text, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
			continue
		case literal == "":
			literal = tok.String()
		}
		list = append(list, lexeme{file.Offset(pos), literal})
	}
}
