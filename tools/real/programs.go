package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// realProgram is a program of other people, from the module proxy.
type realProgram struct {
	name, module, version, pkg string
	arguments                  func(t *testing.T, dir string) []string
	output                     string // file or folder that it writes besides its standard output

	// drive uses a program that does not end by itself until it has ended. It returns what that answers.
	drive func(t *testing.T, cmd *exec.Cmd) []byte

	steady bool // it makes the same calls each time
}

var realPrograms = []realProgram{
	{"esbuild", "github.com/evanw/esbuild", "v0.28.2", "./cmd/esbuild", bundle, "out.js", nil, false},
	{"gofumpt", "mvdan.cc/gofumpt", "v0.7.0", ".", func(t *testing.T, _ string) []string {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		src := filepath.Join(strings.TrimSpace(string(root)), "src")
		return []string{"-l", filepath.Join(src, "net"), filepath.Join(src, "go"), filepath.Join(src, "cmd", "compile")}
	}, "", nil, false},
	{"staticcheck", "honnef.co/go/tools", "v0.6.1", "./cmd/staticcheck", func(*testing.T, string) []string {
		return []string{"-checks", "all", "./simple/...", "./config/...", "./printf/..."}
	}, "", nil, false},
	{"hugo", "github.com/gohugoio/hugo", "v0.148.1", ".", site, "site/out", nil, false},
	{"caddy", "github.com/caddyserver/caddy/v2", "v2.10.0", "./cmd/caddy", shop, "", askCaddy, false},
	{"goja", "github.com/dop251/goja", "v0.0.0-20260917113740-793a2a65c13b", "./goja", wrote("work.js", scriptJS),
		"", untimed, true},
	{"gopher-lua", "github.com/yuin/gopher-lua", "v1.1.2", "./cmd/glua", wrote("work.lua", scriptLua), "", nil, true},
	{"starlark", "go.starlark.net", "v0.0.0-20260908191801-89a6a09411d5", "./cmd/starlark",
		wrote("work.star", scriptStarlark), "", nil, true},
	{"bbolt", "go.etcd.io/bbolt", "v1.5.0", "./iprofwork", wrote("iprofwork/main.go", workBolt), "", nil,
		false}, // its pool makes pages when the garbage collector has emptied it
	{"sqlite", "modernc.org/sqlite", "v1.62.0", "./iprofwork", wrote("iprofwork/main.go",
		workSQL(`_ "modernc.org/sqlite"`, "sqlite", "60000", sqlJoin)), "", nil, true},
	{"yq", "github.com/mikefarah/yq/v4", "v4.54.3", ".", orders, "", nil, true},
	{"bubbletea", "github.com/charmbracelet/bubbletea", "v1.3.10", "./iprofwork",
		wrote("iprofwork/main.go", workTea), "", nil, false}, // its renderer has a ticker
	{"yaegi", "github.com/traefik/yaegi", "v0.16.1", "./iprofwork", func(t *testing.T, dir string) []string {
		wrote("iprofwork/main.go", workYaegi)(t, dir)
		return wrote("script/work.go", scriptGo)(t, dir)
	}, "", nil, true},
	{"nats-server", "github.com/nats-io/nats-server/v2", "v2.12.0", "./iprofwork",
		wrote("iprofwork/main.go", workNATS), "", nil, false}, // its clients close in any order
	{"ncruces", "github.com/ncruces/go-sqlite3", "v0.30.0", "./iprofwork",
		wrote("iprofwork/main.go", workSQL("_ \"github.com/ncruces/go-sqlite3/driver\"\n\t"+
			"_ \"github.com/ncruces/go-sqlite3/embed\"", "sqlite3", "20000", sqlRows)), "", nil, true},
	{"gin", "github.com/gin-gonic/gin", "v1.12.0", "./iprofwork", wrote("iprofwork/main.go", workGin), "", nil, false},
}

// bundle writes JavaScript for esbuild.
func bundle(t *testing.T, dir string) []string {
	t.Helper()
	var all strings.Builder
	for file := range 400 {
		var text strings.Builder
		for n := range 100 {
			fmt.Fprintf(&text, "export function f%d(a, b = %[1]d) {\n  const { x, ...rest } = a ?? {};\n"+
				"  for (const k of Object.keys(rest)) { if (k.length > b) return `${k} ${x?.y}`; }\n"+
				"  return [a, b, () => b ** 2, class { #p = %[1]d; get p() { return this.#p } }];\n}\n", n)
		}
		fmt.Fprintf(&all, "import * as m%d from './m%[1]d.js'; console.log(m%[1]d);\n", file)
		name := filepath.Join(dir, fmt.Sprintf("m%d.js", file))
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "all.js"), []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"all.js", "--bundle", "--minify", "--sourcemap=inline", "--target=es2017", "--log-level=error",
		"--outfile=out.js"}
}

// site writes a site for hugo.
func site(t *testing.T, dir string) []string {
	t.Helper()
	texts := map[string]string{
		"hugo.toml":                    "baseURL = 'http://example.org/'\ntitle = 'Site'\n[taxonomies]\ntag = 'tags'\n",
		"layouts/_default/single.html": "<h1>{{ .Title }}</h1>{{ .TableOfContents }}{{ .Content }}{{ .WordCount }}",
		"layouts/_default/list.html": "<h1>{{ .Title }}</h1>{{ range .Pages.ByTitle }}<a href={{ .RelPermalink }}>" +
			"{{ .Title | upper }}</a> {{ .Summary | plainify | truncate 80 }}{{ end }}",
	}
	for page := range 1500 {
		var text strings.Builder
		fmt.Fprintf(&text, "---\ntitle: Page %d\ndate: 2020-01-02\ntags: [t%d, u%d]\n---\n", page, page%40, page%7)
		for n := range 30 {
			fmt.Fprintf(&text, "## Part %d\n\nSome *words*, [page](/p/%d) with `code`, and\n\n* one\n* two **%d**\n\n"+
				"| a | b |\n|---|---|\n| %d | %d |\n\n", n, page*n%1500, n, page, n)
		}
		texts[fmt.Sprintf("content/p/%d.md", page)] = text.String()
	}
	for name, text := range texts {
		name = filepath.Join(dir, "site", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--quiet", "--noBuildLock", "--source", "site", "--destination", "out"}
}

// shop writes a folder with files, which caddy lists and serves.
func shop(t *testing.T, dir string) []string {
	t.Helper()
	root := filepath.Join(dir, "shop")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for n := range 200 {
		name := filepath.Join(root, fmt.Sprintf("item %d.txt", n))
		if err := os.WriteFile(name, []byte(strings.Repeat("text ", n)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return []string{"file-server", "--browse", "--root", root, "--listen", l.Addr().String()}
}

// nonce is the part that differs from one answer to the next.
var nonce = regexp.MustCompile(`nonce="[^"]*"`)

// askCaddy asks for the folder again and again, over four connections.
func askCaddy(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Signal(os.Interrupt)
	address := cmd.Args[len(cmd.Args)-1]
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var wait sync.WaitGroup
	sums := make([][]byte, 4)
	for i := range sums {
		wait.Go(func() {
			sum := sha256.New()
			for n := range 200 {
				path := []string{"/", fmt.Sprintf("/item%%20%d.txt", n)}[n%2]
				answer, err := http.Get("http://" + address + path)
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(answer.Body)
				if err != nil {
					t.Error(err)
				}
				answer.Body.Close()
				sum.Write(nonce.ReplaceAll(text, nil))
			}
			sums[i] = sum.Sum(nil)
		})
	}
	wait.Wait()
	return slices.Concat(sums...)
}
