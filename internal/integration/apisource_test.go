package integration_test

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// sources parses the files of a package that a build with the tags has, without tests.
func sources(t *testing.T, folder string, tags ...string) []*ast.File {
	t.Helper()
	context := build.Default
	context.BuildTags, context.CgoEnabled = tags, true
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: got %v, %v; want files", folder, names, err)
	}
	var files []*ast.File
	for _, name := range names {
		built := must.Get(context.MatchFile(filepath.Dir(name), filepath.Base(name)))(t)
		if !built || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// exported is one exported name of a package.
type exported struct {
	what string // its declaration, without the names of parameters and without values
	doc  bool
}

// api returns what a package exports, by name; methods as Type.Method, fields as Type.Field.
func api(files []*ast.File) map[string]exported {
	names := map[string]exported{}
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				addFunc(names, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					addSpec(names, d, s)
				}
			}
		}
	}
	return names
}

func addFunc(names map[string]exported, d *ast.FuncDecl) {
	name := d.Name.Name
	if !ast.IsExported(name) {
		return
	}
	if d.Recv != nil {
		receiver := strings.TrimPrefix(text(d.Recv.List[0].Type), "*")
		if !ast.IsExported(receiver) {
			return
		}
		name = receiver + "." + name
		addSignature(names, name, d, "method of "+text(d.Recv.List[0].Type))
		return
	}
	addSignature(names, name, d, "func")
}

func addSignature(names map[string]exported, name string, d *ast.FuncDecl, kind string) {
	names[name] = exported{kind + signature(d.Type), d.Doc.Text() != ""}
}

// signature is a function's type without the names of its parameters.
func signature(f *ast.FuncType) string {
	list := func(fields *ast.FieldList) string {
		var types []string
		for _, field := range fieldsOf(fields) {
			for range max(1, len(field.Names)) {
				types = append(types, text(field.Type))
			}
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	return list(f.TypeParams) + list(f.Params) + list(f.Results)
}

func fieldsOf(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}

func addSpec(names map[string]exported, d *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				names[n.Name] = exported{d.Tok.String(), d.Doc.Text()+s.Doc.Text()+s.Comment.Text() != ""}
			}
		}
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			names[s.Name.Name] = exported{kindOf(s), d.Doc.Text()+s.Doc.Text() != ""}
			addMembers(names, s)
		}
	}
}

func kindOf(s *ast.TypeSpec) string {
	switch s.Type.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return "type " + text(s.Type)
}

// addMembers adds the exported fields of a struct and the methods of an interface. Their documentation may be their
// type's.
func addMembers(names map[string]exported, s *ast.TypeSpec) {
	var fields *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	}
	for _, field := range fieldsOf(fields) {
		for _, n := range field.Names {
			if n.IsExported() {
				names[s.Name.Name+"."+n.Name] = exported{text(field.Type), true}
			}
		}
	}
}

func text(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return b.String()
}
