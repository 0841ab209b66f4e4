# Takes orders. Each one waits for the warehouse, which never answers some of them.
class Order {
    has Int $.number;
    has %.items;
    has Str $.address;
}

class Warehouse {
    has %!waiting;
    method reserve(Order $order --> Promise) {
        my $answer = Promise.new;
        %!waiting{$order.number} = $answer;
        $answer.then: { "order { $order.number } to { $order.address }" }
    }
    method answer(Int $number) {
        .keep(True) with %!waiting{$number}:delete;
    }
}

my $warehouse = Warehouse.new;
my @streets = (^3000).map: { "$_ Harbour Street" };

sub take-order(Int $number) {
    my $order = Order.new(:$number, items => { article => $number % 50, count => 1 }, address => @streets.pick);
    $warehouse.reserve($order);
}

sub MAIN(Int :$orders = 1500) {
    my $*SCHEDULER = CurrentThreadScheduler.new;
    take-order($_) for ^50;
    VM.request-garbage-collection;
    for 50 ..^ $orders -> $number {
        take-order($number);
        $warehouse.answer($number - 10) if $number %% 3;
    }
    VM.request-garbage-collection;
    say "$orders orders";
}
