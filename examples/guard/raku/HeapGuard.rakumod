# Runs a step several times, takes a snapshot after each, and dies if the heap does not meet the rules.
unit module HeapGuard;
use nqp;

sub assert-no-leak(&step, IO() :$rules = $*PROGRAM.parent.sibling('leaks.toml')) is export {
    step;
    my $file = $*TMPDIR.add("heap-$*PID.mvmheap");
    LEAVE $file.unlink;
    nqp::mvmstartprofile(nqp::hash('kind', 'heap', 'path', $file.Str));
    for ^3 {
        step;
        nqp::force_gc;
    }
    nqp::mvmendprofile;
    my $done = run %*ENV<HEAPCHECK> // 'heapcheck', 'assert', $file, '--rules', $rules, :out, :err;
    my $answer = $done.out.slurp(:close) ~ $done.err.slurp(:close);
    die $answer if $done.exitcode;
}
