# Computes prices, and keeps the last 100 of them. The sessions of customers end.
class Price {
    has Int $.article;
    has Rat $.amount;
    has Str $.text = "article $!article costs $!amount";
}

class Cache {
    has %!prices;
    has @!order;
    has Int $.most = 100;
    method get(Int $article, &compute) {
        return $_ with %!prices{$article};
        %!prices{@!order.shift}:delete if @!order == $!most;
        @!order.push: $article;
        %!prices{$article} = compute($article);
    }
}

my $cache = Cache.new;
my %sessions;
my @shops = (^2000).map: { %(name => "Shop $_", city => "City { $_ % 70 }") };

sub visit(Int $number) {
    %sessions{$number} = { shop => @shops.pick, basket => [^5] };
    %sessions{$number}<basket>.push: $cache.get($number % 700, -> $article { Price.new(:$article, amount => $article * 1.19) });
    %sessions{$number - 50}:delete;
}

sub MAIN(Int :$visits = 3000) {
    visit($_) for ^300;
    VM.request-garbage-collection;
    for 300 ..^ $visits {
        visit($_);
        VM.request-garbage-collection if $_ %% 900;
    }
    VM.request-garbage-collection;
    say "{ %sessions.elems } sessions";
}
