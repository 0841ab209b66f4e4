class Room {
  constructor(name) {
    this.name = name;
    this.messages = [];
    this.members = new Set();
  }
}

export class ChatHub {
  #rooms = new Map();

  enter(name, member) {
    let room = this.#rooms.get(name);
    if (!room) {
      room = new Room(name);
      this.#rooms.set(name, room);
    }
    room.members.add(member);
    return room;
  }

  // The last member who leaves does not close the room.
  leave(name, member) {
    this.#rooms.get(name)?.members.delete(member);
  }

  say(name, member, text) {
    this.#rooms.get(name).messages.push({member, text, at: Date.now()});
  }
}
