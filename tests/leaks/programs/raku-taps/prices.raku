# Sends prices to clients. Each client taps the supply, and nobody closes the tap when the client leaves.
class Client {
    has Str $.name;
    has Num @.seen;
    method note-price(Num $price) { @!seen.push: $price if @!seen < 5 }
}

class Feed {
    has Supplier $.prices = Supplier.new;
    has %.last;
    method tick(Str $symbol, Num $price) {
        %!last{$symbol} = $price;
        $!prices.emit: $symbol => $price;
    }
}

my $feed = Feed.new;
my %symbols = (^2000).map: { "S$_" => %(name => "Company $_", sector => $_ % 12) };

sub visit(Str $name) {
    my $client = Client.new(:$name);
    $feed.prices.Supply.tap: -> $quote { $client.note-price($quote.value) if $quote.key.ends-with('7') };
    %symbols{"S{ $name.chars }"}<name>
}

sub MAIN(Int :$visits = 600) {
    visit("early $_") for ^50;
    $feed.tick("S$_", $_ * 1.5e0) for ^10;
    VM.request-garbage-collection;
    for ^$visits {
        visit("client $_");
        $feed.tick("S$_", $_ * 1.5e0) if $_ %% 100;
    }
    VM.request-garbage-collection;
    say "{ $feed.last.elems } symbols";
}
