package instrument

import "strings"

// These tables hold what is known of the standard library. Functions that they do not name may wait.

// computingPackages have only functions that wait for nothing, but for those in mayWait.
var computingPackages = words(`bytes cmp container/heap container/list container/ring context crypto/aes crypto/cipher
	crypto/des crypto/hmac crypto/md5 crypto/sha1 crypto/sha256 crypto/sha3 crypto/sha512 crypto/subtle encoding/ascii85
	encoding/asn1 encoding/base32 encoding/base64 encoding/binary encoding/hex encoding/json encoding/pem encoding/xml
	errors fmt go/ast go/constant go/doc go/format go/parser go/printer go/scanner go/token hash hash/adler32 hash/crc32
	hash/crc64 hash/fnv hash/maphash html image image/color image/color/palette image/draw image/gif image/jpeg
	image/png index/suffixarray io iter maps math math/big math/bits math/cmplx math/rand math/rand/v2 net/netip net/url
	path path/filepath reflect regexp regexp/syntax runtime slices sort strconv strings sync sync/atomic text/scanner
	time unicode unicode/utf16 unicode/utf8 unique unsafe`)

// mayWait are the other functions of computingPackages.
var mayWait = words(`time.Sleep time.LoadLocation
	(*sync.Mutex).Lock (*sync.RWMutex).Lock (*sync.RWMutex).RLock (sync.Locker).Lock (*sync.Cond).Wait
	(*sync.WaitGroup).Wait (*sync.Once).Do (*sync.Pool).Get (*sync.Map).LoadOrStore (*sync.Map).Store (*sync.Map).Swap
	(*sync.Map).Range (*sync.Map).CompareAndSwap (*sync.Map).LoadAndDelete (*sync.Map).Delete (*sync.Map).Clear
	sync.OnceFunc runtime.GC runtime.Gosched runtime.Goexit runtime.ReadMemStats runtime.GOMAXPROCS runtime.Stack
	fmt.Print fmt.Printf fmt.Println fmt.Scan fmt.Scanf fmt.Scanln
	(*encoding/json.Encoder).Encode (*encoding/json.Decoder).Decode (*encoding/json.Decoder).Token
	(*encoding/json.Decoder).More (*encoding/xml.Encoder).Encode (*encoding/xml.Encoder).EncodeElement
	(*encoding/xml.Encoder).EncodeToken (*encoding/xml.Encoder).Flush (*encoding/xml.Encoder).Close
	(*encoding/xml.Decoder).Decode (*encoding/xml.Decoder).DecodeElement (*encoding/xml.Decoder).Token
	(*encoding/xml.Decoder).RawToken (*encoding/xml.Decoder).Skip (*text/scanner.Scanner).Scan
	(*text/scanner.Scanner).Next (*text/scanner.Scanner).Peek
	go/parser.ParseFile go/parser.ParseDir go/doc.ToHTML
	path/filepath.Walk path/filepath.WalkDir path/filepath.Glob path/filepath.EvalSymlinks path/filepath.Abs
	(reflect.Value).Call (reflect.Value).CallSlice (reflect.Value).Recv (reflect.Value).Send reflect.Select
	(*regexp.Regexp).MatchReader (*regexp.Regexp).FindReaderIndex (*regexp.Regexp).FindReaderSubmatchIndex
	(*io.PipeReader).Read (*io.PipeReader).Close (*io.PipeReader).CloseWithError (*io.PipeWriter).Write
	(*io.PipeWriter).Close (*io.PipeWriter).CloseWithError (*io.LimitedReader).Read (*io.SectionReader).Read
	(*io.SectionReader).ReadAt (*io.OffsetWriter).Write (*io.OffsetWriter).WriteAt
	(crypto/cipher.StreamReader).Read (crypto/cipher.StreamWriter).Write (crypto/cipher.StreamWriter).Close
	hash/maphash.WriteComparable iter.Pull iter.Pull2`)

// computesToo are functions of other packages that wait for nothing.
var computesToo = words(`os.Getenv os.LookupEnv os.Environ os.Setenv os.Getpid os.IsNotExist os.IsExist os.Exit
	os.ExpandEnv os.Expand os.IsPermission bufio.ScanLines bufio.ScanWords bufio.ScanRunes bufio.ScanBytes
	net/http.StatusText net/http.CanonicalHeaderKey (net/http.Header).Get (net/http.Header).Set (net/http.Header).Add
	(net/http.Header).Del (net/http.Header).Values (net/http.Header).Clone log.New net.ParseIP net.ParseCIDR
	net.SplitHostPort net.JoinHostPort (net.IP).String (net.IP).Equal (net.IP).To4 (net.IP).To16`)

// constructors are packages whose functions New wait for nothing. What they make may wait.
var constructors = words(`bufio encoding/csv encoding/gob encoding/json log log/slog net/http text/tabwriter
	text/template html/template compress/flate`)

// callsLater are functions that call their arguments later, or on another goroutine.
var callsLater = words(`time.AfterFunc context.AfterFunc runtime.SetFinalizer runtime.AddCleanup sync.OnceFunc
	sync.OnceValue sync.OnceValues bufio.NewReader bufio.NewReaderSize bufio.NewWriter bufio.NewWriterSize
	bufio.NewScanner bufio.NewReadWriter encoding/csv.NewReader encoding/csv.NewWriter encoding/gob.NewEncoder
	encoding/gob.NewDecoder encoding/json.NewEncoder encoding/json.NewDecoder encoding/xml.NewEncoder
	encoding/xml.NewDecoder log.New log/slog.New log/slog.NewJSONHandler log/slog.NewTextHandler io.LimitReader
	io.TeeReader io.MultiWriter io.MultiReader io.NewSectionReader io.NewOffsetWriter encoding/hex.NewEncoder
	encoding/hex.NewDecoder encoding/base64.NewEncoder encoding/base64.NewDecoder encoding/base32.NewEncoder
	encoding/base32.NewDecoder compress/flate.NewReader compress/flate.NewWriter context.WithCancel
	context.WithCancelCause context.WithTimeout context.WithDeadline context.WithValue errors.Is errors.As errors.Join
	errors.Unwrap`)

// calmInterfaces have no method that waits, whatever the value.
var calmInterfaces = words(`error fmt.Stringer reflect.Type hash.Hash hash.Hash32 hash.Hash64 crypto/cipher.Block
	crypto/cipher.BlockMode crypto/cipher.Stream crypto/cipher.AEAD context.Context image/color.Color
	image/color.Model math/rand.Source math/rand/v2.Source go/ast.Node go/ast.Expr go/ast.Stmt`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
