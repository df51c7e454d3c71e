package main

import "strings"

const scriptGo = `
package work

func Fib(n int) int {
	if n < 2 {
		return n
	}
	return Fib(n-1) + Fib(n-2)
}

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

func Sieve(n int) int {
	composite := make([]bool, n+1)
	primes := map[int]string{}
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		primes[i] = "p"
		for k := i * i; k <= n; k += i {
			composite[k] = true
		}
	}
	return len(primes)
}

func Areas(n int) (sum int) {
	for i := 0; i < n; i++ {
		var s shape = square{i % 100}
		sum += s.area()
	}
	return sum
}
`

// workYaegi runs the file that is its argument, and calls functions of it.
const workYaegi = `package main

import (
	"fmt"
	"log"
	"os"

	"github.com/traefik/yaegi/interp"
)

func main() {
	i := interp.New(interp.Options{})
	if _, err := i.EvalPath(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	for _, call := range []string{"work.Fib(22)", "work.Sieve(300000)", "work.Areas(50000)"} {
		v, err := i.Eval(call)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(call, v)
	}
}
`

// workNATS has a server and four clients, each of which reads what another one publishes.
const workNATS = `package main

import (
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

const (
	clients  = 4
	messages = 30000
)

func main() {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true,
		WriteDeadline: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		log.Fatal("not ready")
	}
	sums := make([]int, clients)
	var subscribed, all sync.WaitGroup
	subscribed.Add(clients)
	for client := range sums {
		all.Go(func() { sums[client] = use(s.ClientURL(), client, &subscribed) })
	}
	all.Wait()
	s.Shutdown()
	s.WaitForShutdown()
	fmt.Println(sums)
}

// use publishes on its own subject and reads what the next client publishes. It returns the bytes that it got.
func use(url string, client int, subscribed *sync.WaitGroup) (sum int) {
	c, err := nats.Connect(url, nats.Timeout(time.Minute), nats.SyncQueueLen(messages))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	read, err := c.SubscribeSync(fmt.Sprintf("work.%d.*", (client+1)%clients))
	if err != nil {
		log.Fatal(err)
	}
	_ = read.SetPendingLimits(-1, -1)
	_ = c.Flush()
	subscribed.Done()
	subscribed.Wait()
	published := make(chan struct{})
	go func() {
		defer close(published)
		for n := range messages {
			_ = c.Publish(fmt.Sprintf("work.%d.n%d", client, n%7), make([]byte, n%100))
		}
		_ = c.Flush()
	}()
	for range messages {
		m, err := read.NextMsg(time.Minute)
		if err != nil {
			log.Fatal(err)
		}
		sum += len(m.Data)
	}
	<-published
	return sum
}
`

// workSQL is a program that uses SQLite by a driver, and ends with some statements of Go.
func workSQL(driver, name, rows, end string) string {
	return strings.NewReplacer("DRIVER", driver, "NAME", name, "ROWS", rows, "END", end).Replace(sqlProgram)
}

const sqlProgram = `package main

import (
	"database/sql"
	"fmt"
	"log"

	DRIVER
)

func main() {
	db, err := sql.Open("NAME", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"create table t (a integer primary key, b text, c integer)",
		"with recursive n(x) as (select 1 union all select x + 1 from n where x < ROWS)" +
			" insert into t select x, printf('word %d', x * 7919 % 60013), x % 97 from n",
		"create index i on t (b)", "update t set c = c + 1 where b like '%99%'"} {
		if _, err := db.Exec(statement); err != nil {
			log.Fatal(err)
		}
	}
	for key := range 4000 {
		var c int
		row := db.QueryRow("select c from t where b = ?", fmt.Sprint("word ", key))
		if err := row.Scan(&c); err != nil && err != sql.ErrNoRows {
			log.Fatal(err)
		}
	}
	END
}
`

// sqlJoin lets SQLite compute a number.
const sqlJoin = `var n, sum int
	const all = "select count(*), sum(x.c) from t x join t y on x.a = y.c * 100 + y.a % 100"
	if err := db.QueryRow(all).Scan(&n, &sum); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, sum)`

// sqlRows reads all rows. The driver has SQLite as WebAssembly.
const sqlRows = `rows, err := db.Query("select a, b, c from t order by c, b")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	n, sum := 0, 0
	for rows.Next() {
		var a, c int
		var b string
		if err := rows.Scan(&a, &b, &c); err != nil {
			log.Fatal(err)
		}
		n, sum = n+1, sum+a*c%7+len(b)
	}
	fmt.Println(n, sum, rows.Err())`
