# A shop that keeps a session for each visitor.
unit class Shop;

class Session {
    has Int $.visitor;
    has Str @.basket = 'book';
}

has Session %!sessions;

method visit(Int $visitor) { %!sessions{$visitor} = Session.new(:$visitor) }
method leave(Int $visitor) {
    %!sessions{$visitor}:delete;
}
