package remote

import (
	"fmt"
	"strings"
)

// Tokens are the tokens of a command line, each for one origin and path. The zero value has none.
type Tokens struct {
	of   map[string]string // by the address below which a program has its pages
	bare string            // for the only program
	many bool              // bare is for none, as it could be for several
}

// ParseTokens reads the value of the variable IPROF_TOKEN: TOKEN for the only address that the command line names, or
// TOKEN@ADDRESS for each of several, with spaces between. ADDRESS begins with http:// or https://. A single TOKEN goes
// to none of several addresses, because it is for one of them, and no server may see the token of another. Of the named
// arguments, files do not count. Where no address is named, the token is for any. The error names no token.
func ParseTokens(value string, named []string) (Tokens, error) {
	t := Tokens{of: map[string]string{}}
	if !strings.Contains(value, "@http://") && !strings.Contains(value, "@https://") {
		t.bare = value
		for _, argument := range named {
			if u, _, err := baseOf(argument); err == nil {
				t.of[u.String()] = value
			}
		}
		if t.many = len(t.of) > 1; t.many {
			t.bare, t.of = "", nil
		} else if len(t.of) > 0 {
			t.bare = ""
		}
		return t, nil
	}
	for i, pair := range strings.Fields(value) {
		at := max(strings.LastIndex(pair, "@http://"), strings.LastIndex(pair, "@https://"))
		if at <= 0 {
			const form = "want TOKEN@http://HOST:PORT or TOKEN@https://HOST/PREFIX"
			return Tokens{}, fmt.Errorf("IPROF_TOKEN, part %d: %s", i+1, form)
		}
		u, _, err := baseOf(pair[at+1:])
		if err != nil {
			return Tokens{}, fmt.Errorf("IPROF_TOKEN, part %d: %w", i+1, err)
		}
		t.of[u.String()] = pair[:at]
	}
	return t, nil
}

// Program is New with the token for the address.
func (t Tokens) Program(address string) (*Program, error) {
	p, err := New(address, t.bare)
	if err != nil {
		return nil, err
	}
	if own, has := t.of[p.base]; has {
		p.token = own
	}
	p.many = t.many
	return p, nil
}
