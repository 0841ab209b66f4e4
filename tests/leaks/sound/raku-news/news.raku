# Sends news to readers, who close their taps when they leave, and answers questions with promises that are kept.
class Reader {
    has Str $.name;
    has Str @.seen;
    method note(Str $text) { @!seen.push: $text if @!seen < 5 }
}

my $news = Supplier.new;
my %answers;
my %topics = (^2000).map: { "T$_" => %(title => "Topic $_", readers => $_ % 12) };

sub visit(Int $number) {
    my $reader = Reader.new(name => "reader $number");
    my $tap = $news.Supply.tap: -> $text { $reader.note($text) };
    $news.emit: "news $number about %topics{"T{ $number % 2000 }"}<title>";
    my $answer = %answers{$number} = Promise.new;
    my $thanks = $answer.then: { "{ .result } thanks { $reader.name }" };
    $answer.keep("$number");
    await $thanks;
    %answers{$number}:delete;
    $tap.close;
}

sub MAIN(Int :$visits = 600) {
    my $*SCHEDULER = CurrentThreadScheduler.new;
    visit($_) for ^50;
    VM.request-garbage-collection;
    for ^$visits {
        visit($_);
        VM.request-garbage-collection if $_ %% 200;
    }
    VM.request-garbage-collection;
    say "{ %answers.elems } answers";
}
