//! Functions that run at the start, in migrations or in tools alone, by the functions that call them. Knows the graph of names.

use super::{
    EXAMPLE, Graph, Groups, ONLY_SUCH, Role, constructors::Constructors, edges::Edges, meant::Meant,
};

impl Graph {
    /// A function that only start-up code calls is start-up code; likewise for migrations and tools.
    pub(super) fn mark_start_up(&mut self, edges: &Edges, meant: &Meant<'_>, constructors: &Constructors) {
        let calls = (0..self.nodes.len() as u32)
            .flat_map(|caller| edges.callees.of(caller).iter().map(move |&callee| (callee, caller)));
        let callers = Groups::new(self.names, calls);
        loop {
            let mut changes = Vec::new();
            for (index, node) in self.nodes.iter().enumerate() {
                if let Some(makers) = constructors.makers(index as u32) {
                    let role = Some(node).filter(|node| node.role == Role::Production);
                    changes.extend(role.and_then(|_| self.constructed(makers)).map(|role| (index, role)));
                    continue;
                }
                // What is called from afar may be called at any time.
                if node.role == Role::Production
                    && !node.is_foreign
                    && edges.roots.get(node.name as usize) == Some(&false)
                    && let Some(role) = self.only_quiet(index as u32, callers.of(node.name), meant)
                    // Who launches it, starts it, and does not wait for its end.
                    && (role != Role::StartUp || edges.launched.get(node.name as usize) == Some(&false))
                {
                    changes.push((index, role));
                }
            }
            if changes.is_empty() {
                return;
            }
            for (index, role) in changes {
                if let Some(node) = self.nodes.get_mut(index) {
                    (node.role, node.reason) = (role, ONLY_SUCH);
                }
            }
        }
    }

    /// The role of a constructor by what makes its values: `main`, and what stands in no function, make theirs at the start.
    fn constructed(&self, makers: &[u32]) -> Option<Role> {
        let nodes = makers.iter().filter_map(|&maker| self.nodes.get(maker as usize));
        let nodes = nodes.filter(|node| !matches!(node.role, Role::Test | Role::Dead));
        let mut roles = nodes.map(|node| node.role);
        let first = roles.next().unwrap_or(Role::StartUp);
        let role = roles.fold(first, Role::with);
        (role != Role::Production).then_some(role)
    }

    /// The role that the callers of a function hand on, if all of them have a quiet one.
    fn only_quiet(&self, callee: u32, callers: &[u32], meant: &Meant<'_>) -> Option<Role> {
        let name = self.nodes.get(callee as usize)?.name;
        let mut quietest: Option<Role> = None;
        for &caller in callers.iter().filter(|&&caller| meant.may_mean(caller, name, callee)) {
            let Some(node) = self.nodes.get(caller as usize) else { continue };
            // What calls its own name calls itself, unless it tells that it means another.
            if node.name == name && !meant.differ(caller, callee) {
                continue;
            }
            match node.role {
                Role::Test | Role::Dead => {}
                Role::Offline if node.reason == EXAMPLE => {}
                Role::Production => return None,
                role => quietest = Some(quietest.map_or(role, |other| other.with(role))),
            }
        }
        quietest
    }
}
