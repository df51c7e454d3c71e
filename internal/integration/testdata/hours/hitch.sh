# Finds the hitch of the tutorial's second page, in the program and in the file of its black box.
cp "$DOCS/docs/tutorial/2-first-hitch.md/go-1" main.go
go mod init hitch
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
go run . >tree 2>log
cat tree log
grep -q 'load level' tree
grep 'iprof: frame .*wrote hitches/blackbox-.*iprof' log
for file in hitches/*.iprof; do # a machine with other work has more than one hitch
	iprof view "$file"
	iprof top "$file"
	iprof verdicts -json "$file"
done >seen
cat seen
grep 'iprof: frame 400' log || exit 0
sed -n 4p tree | grep '^Frame [0-9]*: '
grep -q 'Frame 400: .*load level .* (usually not called), called by draw' seen
