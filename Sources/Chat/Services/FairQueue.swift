/// A bounded queue in which clients take turns, each with its oldest element.
package struct FairQueue<Client: Hashable, Element> {
  private let limit: Int
  /// The queued elements by client; without empty clients.
  private var waiting: [Client: [Element]] = [:]
  /// The queued clients in the order of their turns.
  private var turns: [Client] = []
  package private(set) var count = 0

  /// A queue for at most `limit` elements.
  package init(limit: Int) { self.limit = limit }

  package var isEmpty: Bool { count == 0 }

  /// Adds an element. If the queue is full, returns the element evicted for it: the newest of the client with the most.
  package mutating func append(_ element: Element, of client: Client) -> Element? {
    if waiting[client] == nil { turns.append(client) }
    waiting[client, default: []].append(element)
    count += 1
    guard count > limit, let most = turns.max(by: { size(of: $0) < size(of: $1) }) else { return nil }
    count -= 1
    defer {
      if size(of: most) == 0 {
        waiting[most] = nil
        turns.removeAll { $0 == most }
      }
    }
    return waiting[most]?.popLast()
  }

  /// Removes the element whose turn it is, skipping `held` clients; its client moves to the end of the line.
  package mutating func next(unless held: (Client) -> Bool = { _ in false }) -> (client: Client, element: Element)? {
    guard let index = turns.firstIndex(where: { !held($0) }) else { return nil }
    let client = turns.remove(at: index)
    guard let element = waiting[client]?.removeFirst() else { preconditionFailure("a client in the row has elements") }
    count -= 1
    if size(of: client) == 0 { waiting[client] = nil } else { turns.append(client) }
    return (client, element)
  }

  /// Puts elements that were taken out back to the head of the row, in their order, whatever the limit: their clients go
  /// first again.
  package mutating func putBack(_ elements: some BidirectionalCollection<(client: Client, element: Element)>) {
    guard !elements.isEmpty else { return }
    let clients = Set(elements.lazy.map(\.client))
    turns.removeAll { clients.contains($0) }
    var first: Set<Client> = []
    turns = elements.lazy.map(\.client).filter { first.insert($0).inserted } + turns
    for (client, element) in elements.reversed() { waiting[client, default: []].insert(element, at: 0) }
    count += elements.count
  }

  private func size(of client: Client) -> Int { waiting[client]?.count ?? 0 }
}
