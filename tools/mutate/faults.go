package main

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// fault is one change of a file's text.
type fault struct {
	area        *area
	file        string
	line        int
	begin, end  int // bytes of the file that are replaced
	replacement string
	change      string   // for people
	uses        []string // names of the package's constants or variables that it changes; else none
	body        *body    // of the function around it, if it can stand there twice; else nil
	choice      int      // line of the switch around it, if it is in the condition of a case; else 0
	places      []place  // that a test must run to see it
}

// body is the text between the braces of a function.
type body struct {
	begin, end int // bytes of the file
	line       int // of begin
	column     int // of begin
	results    bool
}

// finder collects the possible faults of a file.
type finder struct {
	area   *area
	file   string
	text   []byte
	set    *token.FileSet
	uses   []string // names that the declaration being visited declares, outside functions
	body   *body    // of the function being visited
	cases  []condition
	faults []fault
}

// condition is the text of a case up to its colon. Coverage counts it with its switch.
type condition struct {
	begin, end token.Pos
	choice     int // line of the switch
}

// usual is a constraint that holds unless the profiler is compiled out.
const usual = "//go:build !iprof_off"

// faultsOf returns the possible faults of a file, in the order of its text. Files that are only for other systems and
// files of assembly's declarations have none. Those that measure have the constraint usual.
func faultsOf(a *area, file string) ([]fault, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) && c.Text != usual && group.Pos() < parsed.Package {
				return nil, nil
			}
		}
	}
	f := finder{area: a, file: file, text: text, set: set}
	for _, decl := range parsed.Decls {
		f.declaration(decl)
	}
	return f.faults, nil
}

func (f *finder) declaration(decl ast.Decl) {
	f.uses, f.body = nil, nil
	group, ok := decl.(*ast.GenDecl)
	if !ok {
		f.body = f.bodyOf(decl.(*ast.FuncDecl))
		f.inspect(decl)
		return
	}
	for _, spec := range group.Specs {
		if value, ok := spec.(*ast.ValueSpec); ok {
			f.uses = nil
			for _, name := range value.Names {
				f.uses = append(f.uses, name.Name)
			}
			f.inspect(spec)
		}
	}
}

// bodyOf returns the body of a function, or nil if it has labels, which a function can have only once.
func (f *finder) bodyOf(function *ast.FuncDecl) (b *body) {
	if function.Body == nil {
		return nil
	}
	begin := f.set.Position(function.Body.Lbrace + 1)
	b = &body{begin: begin.Offset, end: f.set.Position(function.Body.Rbrace).Offset, line: begin.Line,
		column: begin.Column, results: function.Type.Results != nil}
	ast.Inspect(function.Body, func(n ast.Node) bool {
		if _, ok := n.(*ast.LabeledStmt); ok {
			b = nil
		}
		return b != nil
	})
	return b
}

func (f *finder) inspect(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		f.node(n)
		_, isType := n.(*ast.ArrayType) // its length is part of the type
		_, isTag := n.(*ast.Field)
		return !isType && !isTag && !isSize(n)
	})
}

// swaps are the operators that are exchanged.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
}

// words are identifiers that are exchanged: calls of built-in functions, and truth values.
var words = map[string]string{"min": "max", "max": "min", "true": "false", "false": "true"}

func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if !isSize(n) {
			f.operator(n.OpPos, n.Op)
		}
	case *ast.BlockStmt:
		for _, s := range n.List {
			f.statement(s)
		}
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			f.cases = append(f.cases, condition{s.Pos(), s.(*ast.CaseClause).Colon, f.set.Position(n.Switch).Line})
		}
	case *ast.CaseClause:
		for _, s := range n.Body {
			f.statement(s)
		}
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		if other := words[n.Name]; other != "" {
			f.add(n.Pos(), n.End(), other)
		}
	case *ast.IfStmt:
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+f.source(n.Cond)+")")
	}
}

func (f *finder) operator(pos token.Pos, op token.Token) {
	if other, ok := swaps[op]; ok {
		f.add(pos, pos+token.Pos(len(op.String())), other.String())
	}
}

// isSize reports whether an expression is a number of bytes such as 64<<10. Sizes of buffers have no effect that a test
// could see, and no faults.
func isSize(n ast.Node) bool {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || e.Op != token.SHL {
		return false
	}
	_, x := e.X.(*ast.BasicLit)
	_, y := e.Y.(*ast.BasicLit)
	return x && y
}

// statement removes an assignment to what exists, a step, a call, or a jump.
func (f *finder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return
		}
		for i := range s.Lhs {
			if name, ok := s.Lhs[i].(*ast.Ident); ok && name.Name == "_" {
				return
			}
		}
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.BranchStmt:
	default:
		return
	}
	f.add(s.Pos(), s.End(), "")
}

// literal changes a number.
func (f *finder) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 32); err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case token.FLOAT:
		if v, _ := strconv.ParseFloat(n.Value, 64); v == 0 {
			return // 2.5 times as much is the same
		}
		f.add(n.Pos(), n.End(), "("+n.Value+" * 2.5)")
	}
}

func (f *finder) source(n ast.Node) string {
	return string(f.text[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) add(from, to token.Pos, with string) {
	at := f.set.Position(from)
	was := string(f.text[at.Offset:f.set.Position(to).Offset])
	line, _, _ := strings.Cut(string(f.text[at.Offset-at.Column+1:]), "\n")
	says := fmt.Sprintf("%s -> %s", was, with)
	if with == "" {
		says = "removed: " + was
	}
	choice := 0
	for _, c := range f.cases {
		if c.begin <= from && from < c.end {
			choice = c.choice
		}
	}
	f.faults = append(f.faults, fault{
		area: f.area, file: f.file, line: at.Line, begin: at.Offset, end: f.set.Position(to).Offset, replacement: with,
		change: strings.Join(strings.Fields(says), " ") + " | " + strings.TrimSpace(line), uses: f.uses,
		body: f.body, choice: choice,
	})
}
