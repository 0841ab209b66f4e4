# Renders pages. The class keeps each rendered page, with the name of the visitor in the key.
class Page {
    has Str $.title;
    has Buf $.body;
}

class Template {
    my %rendered;
    has Str $.name;
    has Str $.text;

    method render(Str $visitor --> Page) {
        %rendered{"$!name/$visitor"} //= Page.new(
            title => "$!name for $visitor",
            body  => Buf.new($!text.subst('VISITOR', $visitor).encode('utf-8')),
        )
    }
}

my @templates = <home basket orders>.map: -> $name {
    Template.new(:$name, text => "<h1>{$name}</h1><p>Hello VISITOR</p>" ~ "<p>A paragraph of this page.</p>\n" x 300)
}

sub MAIN(Int :$visitors = 1500) {
    my $bytes = 0;
    $bytes += @templates.pick.render("early-$_").body.bytes for ^50;
    VM.request-garbage-collection;
    $bytes += @templates[$_ % 3].render("visitor-$_").body.bytes for ^$visitors;
    VM.request-garbage-collection;
    say "$bytes bytes";
}
