package remote_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/iprof/internal/remote"
)

// refuses starts a server that asks for a token and accepts none.
func refuses(t *testing.T) (address string, got *asked) {
	got = new(asked)
	s := httptest.NewServer(got.note(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	})))
	t.Cleanup(s.Close)
	return s.URL, got
}

// TestATokenIsForOneAddress: of two programs on one command line, none gets the token that may be the other's.
func TestATokenIsForOneAddress(t *testing.T) {
	a, gotA := refuses(t)
	b, gotB := refuses(t)
	for _, test := range []struct {
		value      string
		named      []string
		forA, forB string
		because    string
	}{
		{value: "A", named: []string{a}, forA: "A", because: "another token"},
		{value: "A", named: []string{a, a + "/debug/iprof/", "game.iprof"}, forA: "A", because: "another token"},
		{value: "A", named: []string{a, b}, because: "TOKEN@http://HOST:PORT TOKEN@http://…"},
		{value: "A", named: []string{a, a + "/svc-a"}, because: "for several addresses"},
		{value: "A", forA: "A", forB: "A", because: "another token"},
		{value: "A", named: []string{"game.iprof"}, forA: "A", forB: "A", because: "another token"},
		{value: "A@" + a, named: []string{a, b}, forA: "A", because: "another token"},
		{value: "A@" + a + "  B@x@" + b + "/", named: []string{a, b}, forA: "A", forB: "B@x", because: "another token"},
		{value: "A@" + a + "/svc-a", named: []string{a}, because: "needs a token"},
		{named: []string{a, b}, because: "needs a token"},
	} {
		tokens, err := remote.ParseTokens(test.value, test.named)
		if err != nil {
			t.Fatalf("%+v: %v", test, err)
		}
		for _, to := range []struct {
			address, want string
			got           *asked
		}{{a, test.forA, gotA}, {b, test.forB, gotB}} {
			p, err := tokens.Program(to.address)
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Command(t.Context(), "reset")
			if to.address == a && (err == nil || !strings.Contains(err.Error(), test.because)) {
				t.Errorf("%+v: got %v", test, err)
			}
			want := ""
			if to.want != "" {
				want = "Bearer " + to.want
			}
			if _, token, _ := strings.Cut(to.got.all[len(to.got.all)-1], " "); token != want {
				t.Errorf("%+v: %s got %q; want %q", test, to.address, token, want)
			}
		}
	}
}

// TestTokensOfNoAddress: the error has the right form, and no token.
func TestTokensOfNoAddress(t *testing.T) {
	for _, bad := range []string{"secret@http://a:1 secret", "secret@http://", "secret@http://a:99999",
		"secret@https://u@b", "@http://a"} {
		got := ""
		if _, err := remote.ParseTokens(bad, nil); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, "IPROF_TOKEN, part ") || strings.Contains(got, "secret") {
			t.Errorf("%q: got %q", bad, got)
		}
	}
}
