package asjson_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

var update = flag.Bool("update", false, "write docs/iprof.schema.json")

const schemaFile = "../../docs/iprof.schema.json"

// schema is a JSON Schema, or a part of one.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        any                `json:"type,omitempty"`
	Const       string             `json:"const,omitempty"`
	Format      string             `json:"format,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Definitions map[string]*schema `json:"$defs,omitempty"`
}

// maker makes a schema of types. words are the comments of types, and of fields as "Type.Field".
type maker struct {
	words map[string]string
	made  map[string]*schema
}

func (m *maker) of(t reflect.Type) *schema {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time"}
	case t == reflect.TypeFor[asjson.Text]():
		return &schema{Type: "string"}
	case t == reflect.TypeFor[asjson.Known]():
		return &schema{Type: []string{"number", "null"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.Slice, reflect.Array:
		return &schema{Type: "array", Items: m.of(t.Elem())}
	case reflect.Map:
		return &schema{Type: "object", Additional: m.of(t.Elem())}
	case reflect.Struct:
		if m.made[t.Name()] == nil {
			m.made[t.Name()] = new(schema) // a type may contain itself
			*m.made[t.Name()] = *m.object(t)
		}
		return &schema{Ref: "#/$defs/" + t.Name()}
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Float32, reflect.Float64:
		return &schema{Type: "number"}
	}
	return &schema{Type: "integer"}
}

func (m *maker) object(t reflect.Type) *schema {
	s := &schema{Type: "object", Description: m.words[t.Name()], Properties: map[string]*schema{}, Additional: false}
	m.fields(t, s)
	return s
}

func (m *maker) fields(t reflect.Type, s *schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			m.fields(f.Type, s)
			continue
		}
		p := m.of(f.Type)
		p.Description = m.words[t.Name()+"."+f.Name]
		s.Properties[name] = p
		if options == "" {
			s.Required = append(s.Required, name)
		}
	}
}

// comments reads the comments of the package's types and fields.
func comments(t *testing.T) map[string]string {
	t.Helper()
	words := map[string]string{}
	text := func(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
	for _, file := range must.Get(filepath.Glob("*.go"))(t) {
		parsed := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments))(t)
		for _, d := range parsed.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				of := spec.(*ast.TypeSpec)
				words[of.Name.Name] = text(g.Doc)
				if s, ok := of.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						for _, name := range f.Names {
							words[of.Name.Name+"."+name.Name] = text(f.Comment)
						}
					}
				}
			}
		}
	}
	return words
}

// schemaOf makes the schema of a file.
func schemaOf(t *testing.T) *schema {
	t.Helper()
	m := &maker{words: comments(t), made: map[string]*schema{}}
	root := m.object(reflect.TypeFor[asjson.File]())
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.Title = fmt.Sprintf("What the commands of iprof write with -json: format iprof, version %d", asjson.Version)
	root.Properties["format"].Const = asjson.Format
	root.Definitions = m.made
	return root
}

// The schema in docs is that of the types.
func TestTheSchemaIsOfTheTypes(t *testing.T) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	must.Do(t, to.Encode(schemaOf(t)))
	if *update {
		must.Do(t, os.WriteFile(schemaFile, b.Bytes(), 0o644))
	}
	if got := must.Get(os.ReadFile(schemaFile))(t); !bytes.Equal(got, b.Bytes()) {
		t.Errorf("got another docs/iprof.schema.json; go test ./internal/asjson -update writes it")
	}
}

// broken returns what in a value does not meet a schema, or "".
func (s *schema) broken(root *schema, at string, v any) string {
	if name, is := strings.CutPrefix(s.Ref, "#/$defs/"); is {
		return root.Definitions[name].broken(root, at, v)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, has := v[name]; !has {
				return at + " has no " + name
			}
		}
		for name, value := range v {
			of := s.Properties[name]
			if of == nil {
				if of, _ = s.Additional.(*schema); of == nil {
					return at + " has " + name
				}
			}
			if words := of.broken(root, at+"."+name, value); words != "" {
				return words
			}
		}
		return s.typed(at, "object")
	case []any:
		for i, value := range v {
			if s.Items == nil {
				break
			}
			if words := s.Items.broken(root, fmt.Sprint(at, "[", i, "]"), value); words != "" {
				return words
			}
		}
		return s.typed(at, "array")
	case string:
		if s.Const != "" && v != s.Const {
			return at + " is " + v
		}
		return s.typed(at, "string")
	case bool:
		return s.typed(at, "boolean")
	case float64:
		if s.Type == "integer" && v == math.Trunc(v) {
			return ""
		}
		return s.typed(at, "number")
	}
	return s.typed(at, "null")
}

func (s *schema) typed(at, kind string) string {
	if all, several := s.Type.([]string); s.Type == kind || several && strings.Contains(strings.Join(all, " "), kind) {
		return ""
	}
	return fmt.Sprintf("%s is a %s; the schema has %v", at, kind, s.Type)
}

// What is written meets the schema.
func TestDumpsMeetTheSchema(t *testing.T) {
	root := schemaOf(t)
	dumps := map[string]*report.Dump{"hostile": {Report: sampledump.HostileReport()}, "empty": {},
		"graph": {Report: sampledump.CallGraph()}, "all columns": {Report: sampledump.Records(50)}}
	dumps["game"], dumps["hostile dump"] = sampledump.Game(), sampledump.Hostile()
	for name, d := range dumps {
		var v any
		must.Do(t, json.Unmarshal(written(t, d), &v))
		if words := root.broken(root, "", v); words != "" {
			t.Errorf("%s: %s", name, words)
		}
	}
	for text, want := range map[string]string{
		`{"format":"iprof","version":2}`:                  " has no frames",
		`{"format":"other","version":2,"frames":1}`:       ".format is other",
		`{"format":"iprof","version":2,"frames":1.5}`:     ".frames is a number",
		`{"format":"iprof","version":2,"frames":1,"x":1}`: " has x",
	} {
		var v any
		must.Do(t, json.Unmarshal([]byte(text), &v))
		if got := root.broken(root, "", v); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q; want %q", text, got, want)
		}
	}
}
