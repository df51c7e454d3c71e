package integration_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// used is a place where a package of ours names something of another package.
type used struct {
	in   string // the package's folder
	what string // such as "os.Create"
	at   string
}

// linked returns the folders of all packages that users link or run, with those that they need. Examples, tools and
// helpers of tests are not among them.
func linked(t *testing.T) (folders []string) {
	t.Helper()
	module, packages := list(t)
	for _, p := range packages {
		name := p.name()
		if first, _, _ := strings.Cut(name, "/"); first == "internal" || first == "examples" || first == "tools" {
			continue
		}
		folders = append(folders, name)
		for _, other := range p.Deps {
			if ours, ok := strings.CutPrefix(other, module+"/"); ok {
				folders = append(folders, ours)
			}
		}
	}
	slices.Sort(folders)
	return append(slices.Compact(folders), "exectrace", "exectrace/cmd/iprof-import-trace", "internal/web/wasm")
}

// uses returns where the sources of folders, for all systems, name something of some packages, as "os.Create".
func uses(t *testing.T, folders, names []string) (all []used) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d sources, %v", folder, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			places := token.NewFileSet()
			parsed, err := parser.ParseFile(places, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			from := imported(parsed)
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && slices.Contains(names, from[of.Name]+"."+s.Sel.Name) {
						at := places.Position(s.Pos())
						all = append(all, used{folder, from[of.Name] + "." + s.Sel.Name,
							fmt.Sprintf("%s:%d", strings.TrimPrefix(file, root+"/"), at.Line)})
					}
				}
				return true
			})
		}
	}
	return all
}

// imported returns the paths of a file's imports by the names that the file has for them.
func imported(file *ast.File) map[string]string {
	from := map[string]string{}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		from[name] = path
	}
	return from
}

// TestOnlyServeListens: one server has the limits and the guard, so no package but internal/serve opens a port or makes
// a server.
func TestOnlyServeListens(t *testing.T) {
	var found bool
	for _, u := range uses(t, linked(t), []string{"net.Listen", "net.ListenTCP", "net.ListenUnix", "net.ListenConfig",
		"net.ListenPacket", "net.ListenUDP", "net.ListenIP", "net.FileListener", "net.ListenUnixgram",
		"net.ListenMulticastUDP", "net/http.Server", "net/http.Serve", "net/http.ServeTLS", "net/http.ListenAndServe",
		"net/http.ListenAndServeTLS", "crypto/tls.Listen", "net/http/httptest.NewServer"}) {
		if u.in != "internal/serve" {
			t.Errorf("%s: got %s; want it only in internal/serve", u.at, u.what)
		}
		found = true
	}
	if !found {
		t.Error("nothing listens, so this tests nothing")
	}
}
