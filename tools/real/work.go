package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// wrote writes a file into the program's folder: a file that the program runs, or a main package.
func wrote(name, text string) func(t *testing.T, dir string) []string {
	return func(t *testing.T, dir string) []string {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return []string{path}
	}
}

// untimed runs a program whose output has a time at the beginning of each line, and returns that without the times.
func untimed(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return regexp.MustCompile(`(?m)^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `).ReplaceAll(out, nil)
}

// orders writes a YAML file for yq.
func orders(t *testing.T, dir string) []string {
	t.Helper()
	var text strings.Builder
	for n := range 1500 {
		fmt.Fprintf(&text, "- id: %d\n  name: order %[1]d\n  lines:\n", n)
		for line := range 4 {
			fmt.Fprintf(&text, "  - {item: i%d, count: %d, note: 'word %d'}\n", line*n%97, line+1, n)
		}
	}
	const expression = "map({\"id\": .id, \"sum\": (.lines | map(.count) | .[0] + .[1])}) | sort_by(.id) | reverse"
	return append([]string{expression}, wrote("orders.yaml", text.String())(t, dir)...)
}

const workTea = `package main

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

type next struct{}

type model struct{ n int }

func again() tea.Msg { return next{} }

func (m model) Init() tea.Cmd { return again }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, is := msg.(next); is {
		if m.n++; m.n == 20000 {
			return m, tea.Quit
		}
		return m, again
	}
	return m, nil
}

func (m model) View() string {
	var b strings.Builder
	for row := range 24 {
		fmt.Fprintf(&b, "row %d of state %d\n", row, m.n)
	}
	return b.String()
}

func main() {
	var out bytes.Buffer
	end, err := tea.NewProgram(model{}, tea.WithInput(nil), tea.WithOutput(&out)).Run()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(end.(model).n, out.Len() > 0)
}
`

const scriptJS = `
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
var words = [];
for (var i = 0; i < 20000; i++) { words.push("w" + (i * 7919 % 20011)); }
words.sort();
var count = {};
for (var i = 0; i < words.length; i++) { var k = words[i].slice(0, 3); count[k] = (count[k] || 0) + 1; }
console.log(fib(23), words[5], Object.keys(count).length);
`

const scriptLua = `
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local words = {}
for i = 1, 20000 do words[i] = "w" .. (i * 7919 % 20011) end
table.sort(words)
local n = 0
for i = 1, #words do if string.find(words[i], "99") then n = n + 1 end end
print(fib(25), words[5], n)
`

const scriptStarlark = `
def collatz(n):
    steps = 0
    for _ in range(1000):
        if n == 1:
            break
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

def work():
    best = {}
    for i in range(1, 12000):
        best.setdefault(collatz(i), []).append(str(i))
    return sorted(best.items())[-1]

print(work())
`

const workBolt = `package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

func main() {
	dir, err := os.MkdirTemp("", "bbolt")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := bolt.Open(filepath.Join(dir, "data"), 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for round := range 100 {
		if err := db.Update(func(tx *bolt.Tx) error { return put(tx, round) }); err != nil {
			log.Fatal(err)
		}
	}
	keys, sum := 0, uint64(0)
	_ = db.View(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("b")).ForEach(func(k, v []byte) error {
			keys, sum = keys+1, sum+binary.BigEndian.Uint64(v)
			return nil
		})
	})
	fmt.Println(keys, sum)
}

func put(tx *bolt.Tx, round int) error {
	b, err := tx.CreateBucketIfNotExists([]byte("b"))
	for i := range 2000 {
		if err != nil {
			return err
		}
		n := uint64(round*2000+i) * 0x9e3779b97f4a7c15
		err = b.Put(binary.BigEndian.AppendUint64(nil, n), binary.BigEndian.AppendUint64(nil, n>>3))
	}
	return err
}
`

const workGin = `package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/user/:name/:n", func(c *gin.Context) {
		c.JSON(200, gin.H{"name": c.Param("name"), "n": c.Param("n"), "list": []int{1, 2, 3}})
	})
	server := httptest.NewServer(r)
	defer server.Close()
	var wait sync.WaitGroup
	sums := make([]int, 4)
	for client := range sums {
		wait.Go(func() {
			for n := range 1000 {
				answer, err := http.Get(fmt.Sprintf("%s/user/u%d/%d", server.URL, client, n))
				if err != nil {
					panic(err)
				}
				text, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				sums[client] += len(text)
			}
		})
	}
	wait.Wait()
	fmt.Println(sums)
}
`
