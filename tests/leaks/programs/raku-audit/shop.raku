# A shop that writes an audit log. The log is a dynamic variable, which all handlers see, and nobody empties it.
class Entry {
    has Str $.action;
    has Str $.subject;
    has Instant $.at = now;
}

class Audit {
    has Entry @.entries;
    method record(Str $action, Str $subject) { @!entries.push: Entry.new(:$action, :$subject) }
}

class Article {
    has Int $.number;
    has Str $.title;
    has Int $.stock is rw = 100;
}

my %articles = (^1000).map: { "a$_" => Article.new(number => $_, title => "Article $_") };

sub sell(Str $key) {
    my $article = %articles{$key};
    $article.stock-- if $article.stock > 1;
    $*AUDIT.record: 'sold', "$key ({ $article.title })";
    "sold {$article.title.uc}"
}

sub MAIN(Int :$sales = 2500) {
    my $*AUDIT = Audit.new;
    my $sold = 0;
    sell("a$_") && $sold++ for ^200;
    VM.request-garbage-collection;
    sell("a{ $_ % 1000 }") && $sold++ for ^$sales;
    VM.request-garbage-collection;
    say "$sold sales";
}
