//! From the grown tree to the arena: nodes get their numbers in document order.

use super::{
    Dom, Id, MAX_DEPTH, Node,
    names::Name,
    tree::{At, NONE, Tree, index},
};

/// Numbers the nodes. What stands deeper than [`MAX_DEPTH`] is taken up to it; `body` is the growing tree's.
pub(super) fn dom(mut tree: Tree, root: At, body: At) -> Dom {
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.nodes.len());
    let mut body_id = 0;
    // The open nodes by their new numbers, without those too deep to have children.
    let mut path: Vec<Id> = Vec::with_capacity(64);
    let mut depth = 0;
    let mut at = root;
    while at != NONE {
        let draft = *tree.node(at);
        let level = depth.min(MAX_DEPTH);
        let parent = if level == 0 { 0 } else { path[level - 1] };
        if at == body {
            body_id = index(nodes.len());
        }
        if draft.name != Name::Text || !joins(&mut nodes, parent, &mut tree.text, draft.start, draft.length) {
            nodes.push(Node {
                parent,
                end: index(nodes.len() + 1),
                start: draft.start,
                length: draft.length,
                attrs: draft.attrs,
                attr_count: draft.attr_count,
                name: draft.name,
            });
        }
        if draft.first != NONE {
            if depth < MAX_DEPTH {
                path.push(index(nodes.len() - 1));
            }
            depth += 1;
            at = draft.first;
            continue;
        }
        let mut last = at;
        at = draft.next;
        while at == NONE && last != root {
            last = tree.node(last).parent;
            depth -= 1;
            if depth < MAX_DEPTH
                && let Some(id) = path.pop()
            {
                nodes[id as usize].end = index(nodes.len());
            }
            at = if last == root { NONE } else { tree.node(last).next };
        }
    }
    Dom { nodes, attrs: tree.attrs, text: tree.text, body: body_id }
}

/// Joins a text with the text right before it, if there is one.
fn joins(nodes: &mut [Node], parent: Id, text: &mut String, start: u32, length: u32) -> bool {
    let Some(before) = nodes.last_mut().filter(|node| node.name == Name::Text && node.parent == parent) else {
        return false;
    };
    let from = before.start as usize;
    if before.start + before.length != start {
        if from + before.length as usize != text.len() {
            let copied = text.len();
            text.extend_from_within(from..from + before.length as usize);
            before.start = index(copied);
        }
        text.extend_from_within(start as usize..(start + length) as usize);
    }
    before.length += length;
    true
}
