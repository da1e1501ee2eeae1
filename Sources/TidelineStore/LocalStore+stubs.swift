// stubs
public import TidelineModel
extension LocalStore {
    func checkIdentity() throws {}
    public func conflicts() throws -> [Conflict] { throw LocalStoreError(.unsupported, message: "") }
    public func restore(conflict id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }
    public func dismiss(conflict id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }
    public func quarantined() throws -> [QuarantinedTransaction] { throw LocalStoreError(.unsupported, message: "") }
    public func retry(quarantined id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }
    @discardableResult
    public func discard(quarantined id: Int64) throws -> [Int64] { throw LocalStoreError(.unsupported, message: "") }
}
