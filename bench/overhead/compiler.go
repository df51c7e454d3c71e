package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"example.com/iprof"
)

// The compiler has a goroutine for each package. It parses expressions by recursive descent, checks the trees and
// writes them. Mutual recursion makes many distinct stacks.

const packages, functions = 400, 60

type expression struct {
	op          byte // a digit has no operands
	left, right *expression
	kind        int
}

type parser struct {
	text string
	at   int
}

func compile() {
	random := rand.New(rand.NewPCG(1, 2))
	var sources [16]string
	for i := range sources {
		var b strings.Builder
		for range functions {
			write(&b, random, 7)
			b.WriteByte(';')
		}
		sources[i] = b.String()
	}
	for range 3 {
		var wait sync.WaitGroup
		for i := range packages {
			wait.Go(func() { compilePackage(sources[i%len(sources)]) })
		}
		wait.Wait()
	}
}

func write(b *strings.Builder, random *rand.Rand, depth int) {
	if depth == 0 || random.IntN(6) == 0 {
		b.WriteByte(byte('0' + random.IntN(10)))
		return
	}
	b.WriteByte('(')
	write(b, random, depth-1)
	b.WriteByte("+-*/"[random.IntN(4)])
	write(b, random, depth-1)
	b.WriteByte(')')
}

func compilePackage(text string) {
	defer iprof.Begin("package").End()
	p, out := parser{text: text}, strings.Builder{}
	for p.at < len(p.text) {
		e := p.sum()
		p.at++
		e.check(0)
		e.print(&out)
	}
	keep(uint64(out.Len()))
}

func (p *parser) sum() *expression {
	defer iprof.Begin("sum").End()
	e := p.product()
	for p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
		op := p.text[p.at]
		p.at++
		e = &expression{op: op, left: e, right: p.product()}
	}
	return e
}

func (p *parser) product() *expression {
	defer iprof.Begin("product").End()
	e := p.operand()
	for p.at < len(p.text) && (p.text[p.at] == '*' || p.text[p.at] == '/') {
		op := p.text[p.at]
		p.at++
		e = &expression{op: op, left: e, right: p.operand()}
	}
	return e
}

func (p *parser) operand() *expression {
	defer iprof.Begin("operand").End()
	c := p.text[p.at]
	p.at++
	if c != '(' {
		return &expression{op: c, kind: int(work(uint64(c), 200) & 1)}
	}
	e := p.sum()
	p.at++
	return e
}

func (e *expression) check(depth int) int {
	defer iprof.Begin("check").End()
	if e.left != nil {
		e.kind = e.left.check(depth+1)&e.right.check(depth+1) + int(work(uint64(depth), 100)&1)
	}
	return e.kind
}

func (e *expression) print(to *strings.Builder) {
	defer iprof.Begin("print").End()
	if e.left == nil {
		to.WriteByte(e.op)
		return
	}
	e.left.print(to)
	fmt.Fprintf(to, "%c%d", e.op, e.kind)
	e.right.print(to)
}
