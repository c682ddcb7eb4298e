output "role_arn" {
  description = "The schema's roleArn."
  value       = aws_iam_role.access.arn
}

output "account_id" {
  description = "The schema's accountId."
  value       = data.aws_caller_identity.current.account_id
}
