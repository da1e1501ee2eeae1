import TidelineModel
struct ExpressionChecker { var model: EntityModel; var set: EntitySet
 func check(_ e: Expression) throws(ExpressionError) -> TypedExpression { throw ExpressionError(.tooDeep, message: "") } }
struct ExpressionEvaluator { var user: UserContext
 func evaluate(_ e: TypedExpression, _ p: (TypedExpression.Path) throws -> Value) throws -> Value { .null } }
struct ExpressionError: Error { enum Code { case tooDeep }; var message: String; var target: String?; init(_ c: Code, message: String) { self.message = message } }
