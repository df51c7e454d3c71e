package remote

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
)

// pages are the names below root. An address may end with one, as it does when a browser has it.
var pages = []string{"", "now", "report", "tree", "json", "capture", "live", "command", "metrics", "profile"}

// Is reports whether an argument is an address and not a file: http://… or https://…, or HOST:PORT, also with a path
// behind it, where no file has that name. An address that New refuses, such as one with port 99999, is none the less
// an address.
func Is(argument string) bool {
	if hasScheme(argument) {
		return true
	}
	if _, err := os.Lstat(argument); err == nil {
		return false
	}
	place, _, _ := strings.Cut(argument, "/")
	if _, port, err := net.SplitHostPort(place); err == nil {
		return isNumber(port)
	}
	_, err := netip.ParseAddr(place) // IPv6 without brackets
	return err == nil && strings.Contains(place, ":")
}

func hasScheme(argument string) bool {
	return strings.HasPrefix(argument, "http://") || strings.HasPrefix(argument, "https://")
}

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// HostPort divides HOST:PORT. Its error shows the right form. The host may be empty, the port may be 0 or a name.
func HostPort(address string) (host, port string, err error) {
	shown := fmt.Sprintf("%.80q", address)
	host, port, err = net.SplitHostPort(address)
	switch {
	case hasScheme(address):
		return "", "", fmt.Errorf("%s: want HOST:PORT, without http:// and path", shown)
	case err != nil && isNumber(address):
		return "", "", fmt.Errorf("%s: want HOST:PORT; a port of this machine is :%.80s", shown, address)
	case err != nil:
		return "", "", fmt.Errorf("%s: want HOST:PORT, such as %s", shown, nearest(address))
	}
	if n, err := net.LookupPort("tcp", port); err != nil || port == "" {
		return "", "", fmt.Errorf("%s: there is no port %.80q; ports are 1 to 65535", shown, port)
	} else if isNumber(port) {
		port = strconv.Itoa(n)
	}
	return host, port, nil
}

// nearest returns the form of HOST:PORT that is most like an address without it.
func nearest(address string) string {
	address = strings.Trim(address, "[]")
	if i := strings.LastIndexByte(address, ':'); i > 0 && isNumber(address[i+1:]) {
		if host, err := netip.ParseAddr(strings.Trim(address[:i], "[]")); err == nil {
			return net.JoinHostPort(host.String(), address[i+1:])
		}
	}
	if host, err := netip.ParseAddr(address); err == nil {
		return net.JoinHostPort(host.String(), "6061")
	}
	if address != "" && len(address) < 80 && !strings.ContainsAny(address, ":/[] ") {
		return address + ":6061"
	}
	return "localhost:6061"
}

// baseOf returns the address below which a program has its pages, and the set of frames of ?set=, or "". What stands in
// the address before debug/iprof/ is a part of it, as a proxy may serve several programs at one host.
func baseOf(address string) (u *url.URL, set string, err error) {
	if len(address) > mostAddress || !Is(address) {
		return nil, "", fmt.Errorf("%.80q is not an address: want HOST:PORT or http://HOST:PORT", address)
	}
	if !hasScheme(address) {
		place, path, _ := strings.Cut(address, "/")
		host, port, err := HostPort(place)
		if err != nil {
			return nil, "", err
		}
		if host == "" {
			host = "localhost"
		}
		address = "http://" + net.JoinHostPort(host, port) + "/" + path
	}
	u, err = url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return nil, "", fmt.Errorf("%.80q is not an address: want HOST:PORT or http://HOST:PORT", address)
	case u.User != nil:
		return nil, "", errors.New("an address has no user and no password: the variable IPROF_TOKEN has the token")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, "", fmt.Errorf("%.80q: there is no port %.20s; ports are 1 to 65535", u.Host, port)
		}
	}
	set, err = below(u)
	return u, set, err
}

// below changes an address to the one below which the pages are, and returns the set of frames in it.
func below(u *url.URL) (set string, err error) {
	path := strings.TrimSuffix(u.EscapedPath(), "/") + "/"
	prefix, page := path, ""
	if i := strings.LastIndex(path, root); i >= 0 {
		if name := strings.TrimSuffix(path[i+len(root):], "/"); slices.Contains(pages, name) {
			prefix, page = path[:i], name
		}
	}
	query, err := url.ParseQuery(u.RawQuery)
	set = query.Get("set")
	if query.Del("set"); (err != nil || len(query) > 0) && page == "" {
		return "", fmt.Errorf("%.80q: leave out the part from ? on", u.Host+path+"?"+u.RawQuery)
	}
	at, err := u.Parse(strings.TrimSuffix(prefix, "/") + root)
	if err != nil {
		return "", err
	}
	*u = url.URL{Scheme: u.Scheme, Host: u.Host, Path: at.Path, RawPath: at.RawPath}
	return set, nil
}
