package instrument

import (
	"go/ast"
	"strings"
)

// untouchable are the compiler directives that forbid a zone in a function.
var untouchable = []string{
	"//go:nosplit", "//go:systemstack", "//go:nowritebarrier", "//go:yeswritebarrierrec", "//go:norace",
	"//go:uintptrescapes", "//go:cgo_unsafe_args", "//go:linkname",
}

// readComments reads the directives above a function: the compiler's, and //iprof:skip and //iprof:zone NAME.
func (f *Function) readComments(doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		for _, u := range untouchable {
			if c.Text == u || strings.HasPrefix(c.Text, u+" ") {
				f.skip = "has " + u
			}
		}
		if c.Text == "//iprof:skip" {
			f.skip = "has //iprof:skip"
		}
		if name, ok := strings.CutPrefix(c.Text, "//iprof:zone"); ok && (name == "" || name[0] == ' ') {
			f.demanded, f.Zone = true, strings.TrimSpace(name)
		}
	}
}

// exports returns the functions with //export comments. C may call them on its own threads.
func exports(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if name, ok := strings.CutPrefix(c.Text, "//export "); ok {
				names[strings.TrimSpace(name)] = true
			}
		}
	}
	return names
}
