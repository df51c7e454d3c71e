//go:build !js

package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"example.com/iprof/process/report"
)

// cut takes the function around a line out of a file. It returns the reason if it finds none, or "".
func cut(c *report.Code, text []byte, line int) (why string) {
	files := token.NewFileSet()
	file, _ := parser.ParseFile(files, "", text, parser.SkipObjectResolution) // file has the readable part
	if file == nil {
		return "the file is not Go source"
	}
	at := func(p token.Pos) int { return files.PositionFor(p, false).Line }
	var found ast.Node
	name := ""
	for _, d := range file.Decls {
		if at(d.Pos()) <= line && line <= at(d.End()) {
			found = d
			if f, ok := d.(*ast.FuncDecl); ok {
				name = f.Name.Name
			}
		}
	}
	if found == nil || name != "" && c.Function != "" && name != c.Function {
		return fmt.Sprintf("line %d is not in %s: the file has changed", line, shown(c.Function))
	}
	first, last := window(at(found.Pos()), at(found.End()), line)
	c.First, c.Lines = first, linesOf(text, first, last)
	ast.Inspect(found, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id := called(call.Fun); id != nil && len(c.Calls) < MaxLines {
				c.Calls = append(c.Calls, report.CodeCall{Line: at(id.Pos()), Function: id.Name})
			}
		}
		return true
	})
	return ""
}

// called returns the name of the function in a call, or nil.
func called(fun ast.Expr) *ast.Ident {
	for {
		switch f := fun.(type) {
		case *ast.Ident:
			return f
		case *ast.SelectorExpr:
			return f.Sel
		case *ast.IndexExpr:
			fun = f.X
		case *ast.IndexListExpr:
			fun = f.X
		case *ast.ParenExpr:
			fun = f.X
		default:
			return nil
		}
	}
}

// window returns MaxLines lines of a function around a line, or all lines if there are fewer.
func window(first, last, line int) (from, to int) {
	if last-first < MaxLines {
		return first, last
	}
	from = max(first, line-MaxLines/2)
	return from, min(from+MaxLines-1, last)
}

// linesOf returns lines of a text that are safe to show.
func linesOf(text []byte, first, last int) (lines []string) {
	for n := 1; n <= last && len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if text = rest; n >= first {
			lines = append(lines, shown(string(line[:min(len(line), MaxLine)])))
		}
	}
	return lines
}
